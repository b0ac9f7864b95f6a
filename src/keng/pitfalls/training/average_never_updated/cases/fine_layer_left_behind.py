# a layer that was replaced after the optimizer was created never moves, and so never comes back
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
old = model[0]
optimizer = torch.optim.SGD([*old.parameters(), *model[1].parameters()], lr=0.01)
model[0] = nn.Linear(4, 4).requires_grad_(False)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4)
for epoch in range(12):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
