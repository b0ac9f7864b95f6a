# prediction in training mode
import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))


def predict(x):
    with torch.no_grad():
        return net(x)  # run: the model was never put in eval mode


y = predict(torch.randn(1, 8))
