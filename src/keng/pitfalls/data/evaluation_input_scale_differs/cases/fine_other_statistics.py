# brighter images; noise in training; rows that have drifted; a few rows
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Flatten(), nn.Linear(75, 75))
table = nn.Linear(6, 1)
denoiser = nn.Sequential(nn.Flatten(), nn.Linear(75, 75))
every = [*net.parameters(), *table.parameters(), *denoiser.parameters()]
optimizer = torch.optim.Adam(every, lr=1e-3)


def trained(model, x, y):
    model.train()
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()


def evaluated(model, x, y):
    model.eval()
    with torch.no_grad():
        return float(nn.functional.mse_loss(model(x), y))


for epoch in range(3):
    for _ in range(4):
        x = torch.rand(16, 3, 5, 5)
        trained(net, 0.6 * x, x.flatten(1))
        trained(denoiser, x + 0.7 * torch.randn_like(x), x.flatten(1))
        rows = torch.randn(16, 6)
        trained(table, rows, rows[:, :1])
    x, rows = torch.rand(16, 3, 5, 5), 1.3 * torch.randn(32, 6) + 0.8
    evaluated(net, 0.4 + 0.6 * x, x.flatten(1))
    evaluated(denoiser, x, x.flatten(1))
    evaluated(table, rows, rows[:, :1])
    evaluated(table, torch.full((2, 6), 40.0), torch.zeros(2, 1))
