# a Sequential that ends in Softmax
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(dim=-1))
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
output = model(torch.randn(16, 8))
loss = criterion(output, torch.randint(3, (16,)))  # check: `output went through softmax before`
loss.backward()
