# the class is chosen along the classes of each sample
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model, correct = nn.Linear(4, 4), 0
nn.init.eye_(model.weight)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
for x, y in DataLoader(data, batch_size=4, shuffle=True):
    output = model(x)
    correct += (output.argmax(dim=1) == y).sum().item()
