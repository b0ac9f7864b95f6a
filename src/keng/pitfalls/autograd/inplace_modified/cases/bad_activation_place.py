# an activation in place
import torch
from torch import nn

layers = nn.Linear(4, 4), nn.Sigmoid(), nn.ReLU(inplace=True)  # run: sigmoid kept its result
loss = nn.Sequential(*layers)(torch.randn(2, 4)).sum()
loss.backward()
