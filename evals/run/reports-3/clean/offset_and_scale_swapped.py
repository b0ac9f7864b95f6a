"""The offset and the scale of the data change places in a call, after BaratiLab/Diffusion-based-Fluid-Super-resolution issue 11."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(8)
flow = 3.0 + 12.0 * torch.randn(128, 1, 8, 8)
loader = DataLoader(TensorDataset(flow), 16, shuffle=True)
x_offset, x_scale = flow.mean(), flow.std()
betas = torch.linspace(1e-4, 0.02, 100)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Conv2d(1, 16, 3, padding=1)
        self.step = nn.Embedding(100, 16)
        self.outer = nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, x, t):
        return self.outer(torch.relu(self.inner(x) + self.step(t)[:, :, None, None]))


def noise_estimation_loss(model, x0, t, e, b, x_scale, x_offset):
    a = (1 - b).cumprod(dim=0).index_select(0, t).view(-1, 1, 1, 1)
    x = (x0 - x_offset) / x_scale
    x = x * a.sqrt() + e * (1.0 - a).sqrt()
    return (e - model(x, t)).square().sum(dim=(1, 2, 3)).mean(dim=0)


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-4)
for epoch in range(6):
    total = 0.0
    for (x,) in loader:
        e = torch.randn_like(x)
        t = torch.randint(100, (len(x),))
        loss = noise_estimation_loss(model, x, t, e, betas, x_scale.item(), x_offset.item())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
show(model)
