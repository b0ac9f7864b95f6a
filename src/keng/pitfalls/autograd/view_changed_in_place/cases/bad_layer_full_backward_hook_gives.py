# a layer with a full backward hook gives it
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(inplace=True))
model[0].register_full_backward_hook(lambda module, into, out: None)
model(torch.ones(1, 2))  # run: `inplace=False`
