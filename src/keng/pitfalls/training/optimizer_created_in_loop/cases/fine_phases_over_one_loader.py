# phases with other rates; two passes for each optimizer; no state; another loader for each task
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
data = TensorDataset(torch.randn(32, 4))
loader = DataLoader(data, batch_size=8)


def train(optimizer, batches, passes=1):
    for _ in range(passes):
        for (x,) in batches:
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()


for phase in range(6):
    train(torch.optim.Adam(model.parameters(), lr=0.01 / (phase + 1)), loader)
for phase in range(6):
    train(torch.optim.Adam(model.parameters(), lr=0.01), loader, passes=2)
for phase in range(6):
    train(torch.optim.SGD(model.parameters(), lr=0.01), loader)
for task in range(6):
    train(torch.optim.Adam(model.parameters(), lr=0.01), DataLoader(data, batch_size=8))
