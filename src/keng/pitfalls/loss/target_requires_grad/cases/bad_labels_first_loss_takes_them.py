# labels first, and a loss that takes them without an error
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model, criterion = nn.Linear(8, 1), nn.BCEWithLogitsLoss()
data = TensorDataset(torch.randn(32, 8), torch.randint(2, (32, 1)).float())
for x, y in DataLoader(data, batch_size=8):
    loss = criterion(y, model(x))  # check: they have changed places
    loss.backward()
