# one class more than the model has outputs
import torch
from torch import nn

model = nn.Linear(8, 4)
criterion = nn.CrossEntropyLoss()
labels = torch.tensor([0, 1, 2, 3, 4])
loss = criterion(model(torch.randn(5, 8)), labels)  # run: `label 4 is not among the classes`
