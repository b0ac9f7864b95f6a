# a loader with a generator of the same seed is created in each epoch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(32, 4))
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def batches():
    return DataLoader(data, batch_size=8, shuffle=True, generator=torch.Generator().manual_seed(0))


for epoch in range(4):
    for (x,) in batches():  # run: begun with the same batch
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
