# a loader that does not shuffle; a seed for each epoch; a data set of one batch; batches that are all alike
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
rows = TensorDataset(torch.randn(32, 4))
alike = TensorDataset(torch.ones(32, 4))
loaders = [
    lambda epoch: DataLoader(rows, 8),
    lambda epoch: DataLoader(rows, 8, True, generator=torch.Generator().manual_seed(epoch)),
    lambda epoch: DataLoader(rows, 32, shuffle=True),
    lambda epoch: DataLoader(alike, 8, shuffle=True),
]
for loader in loaders:
    for epoch in range(4):
        for (x,) in loader(epoch):
            optimizer.zero_grad()
            (model(x) - 1).square().mean().backward()
            optimizer.step()
