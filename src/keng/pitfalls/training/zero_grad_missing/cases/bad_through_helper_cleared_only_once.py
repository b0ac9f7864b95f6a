# through a helper, cleared only once an epoch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def step(loss, optimizer):
    loss.backward()  # check: adds to the gradients of the batch before
    optimizer.step()


model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16)
for epoch in range(3):
    optimizer.zero_grad()
    for x, y in loader:
        loss = (model(x) - y).square().mean()
        step(loss, optimizer)
