# a second sigmoid
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
criterion = nn.BCEWithLogitsLoss()
probability = model(torch.randn(16, 8))
loss = criterion(probability, torch.ones(16, 1))  # check: the model ends in a sigmoid
loss.backward()
