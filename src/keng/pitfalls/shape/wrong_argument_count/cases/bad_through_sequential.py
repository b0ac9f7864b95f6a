# through Sequential
import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
scores = model(torch.ones(4, 3), torch.ones(4, 3))  # run: `one input`
