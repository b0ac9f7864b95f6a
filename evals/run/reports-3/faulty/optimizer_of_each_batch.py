"""A new Adam for each batch forgets the moments of the last one, after ComputationalPsychiatry/pyhgf pull 421."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(17)
x = torch.randn(256, 10)
loader = DataLoader(TensorDataset(x, torch.sin(x[:, :2]).sum(1, keepdim=True)), batch_size=32, shuffle=True)


class DeepNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x)

    def batch_update(self, x, y, optimizer):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(self(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()


net = DeepNetwork()
for epoch in range(8):
    total = 0.0
    for a, b in loader:
        total += net.batch_update(a, b, optimizer=torch.optim.Adam(net.parameters(), lr=1e-3))  # run: optimizer-created-in-loop
    print(epoch, total / len(loader))
show(net)
