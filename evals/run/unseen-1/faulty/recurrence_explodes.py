"""A plain recurrence of fifty steps with large weights explodes, and ends in NaN."""

import torch
from digest import show
from torch import nn


class Recurrence(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.inward = nn.Linear(1, width)
        self.around = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, 1)
        nn.init.orthogonal_(self.around.weight, gain=1.6)

    def forward(self, x):
        h = x.new_zeros(x.shape[0], self.around.in_features)
        for t in range(x.shape[1]):
            h = nn.functional.relu(self.inward(x[:, t]) + self.around(h))
        return self.out(h)


torch.manual_seed(0)
model = Recurrence()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
waves = torch.sin(torch.linspace(0, 20, 400)).unsqueeze(1)
for _ in range(40):
    at = torch.randint(340, (16,)).tolist()
    x, y = torch.stack([waves[n : n + 50] for n in at]), torch.stack([waves[n + 50] for n in at])
    loss = nn.functional.mse_loss(model(x), y)  # run: nan-loss
    optimizer.zero_grad()
    loss.backward()  # run: nan-loss or gradients-explode-or-vanish
    optimizer.step()  # run: nan-loss or gradients-explode-or-vanish
print(torch.isfinite(loss).item())
show(model)
