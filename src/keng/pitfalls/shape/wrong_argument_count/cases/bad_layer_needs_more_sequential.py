# a layer that needs more, in Sequential
import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.Bilinear(4, 4, 2))
scores = model(torch.ones(5, 3))  # run: `'input2'`
