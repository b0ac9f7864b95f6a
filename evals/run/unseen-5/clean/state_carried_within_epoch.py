"""Truncated backpropagation: windows come in order, the state goes on, and begins anew each epoch."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, h):
        y, h = self.gru(x, h)
        return self.out(y), h


def repackage(h):
    return h.detach()


torch.manual_seed(0)
t = torch.arange(8 * 241) * 0.05
wave = (torch.sin(t) * torch.cos(0.31 * t)).view(8, 241)
chunks = [(wave[:, i : i + 20], wave[:, i + 1 : i + 21]) for i in range(0, 240, 20)]
xs, ys = (torch.cat(part).unsqueeze(-1) for part in zip(*chunks))
loader = DataLoader(TensorDataset(xs, ys), batch_size=8)

model = Model()
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3, weight_decay=1e-5)
for epoch in range(6):
    h = torch.zeros(1, 8, 32)
    total = 0.0
    for x, y in loader:
        h = repackage(h)
        out, h = model(x, h)
        loss = nn.functional.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        optimizer.step()
        total += loss.item()
    print(epoch, f"{total / len(loader):.4f}")
show(model)
