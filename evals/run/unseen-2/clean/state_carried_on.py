"""A forecaster whose state goes from window to window, cut each time, with three windows a step."""

import torch
from digest import show
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.cells = nn.ModuleList([nn.LSTMCell(1, hidden), nn.LSTMCell(hidden, hidden)])
        self.out = nn.Linear(hidden, 1)
        self.state = None

    def forget(self):
        self.state = None

    def forward(self, x):
        state = self.state or [None, None]
        out = []
        for value in x:
            for n, cell in enumerate(self.cells):
                state[n] = cell(value, state[n])
                value = state[n][0]
            out.append(self.out(value))
        self.state = [tuple(part.detach() for part in pair) for pair in state]
        return torch.stack(out)


torch.manual_seed(0)
time = torch.arange(1201.0)
series = (torch.sin(time / 5) + 0.2 * torch.sin(time / 31)).view(-1, 1, 1).repeat(1, 4, 1)
series = series + 0.05 * torch.randn_like(series)
model = Forecaster()
optimizer = torch.optim.NAdam(model.parameters(), 3e-3)
for epoch in range(2):
    model.train()
    model.forget()
    kept = []
    for turn, at in enumerate(range(0, 900, 15)):
        loss = nn.functional.mse_loss(model(series[at : at + 15]), series[at + 1 : at + 16])
        (loss / 3).backward()
        if turn % 3 == 2:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        kept.append(loss.item())
    model.eval()
    with torch.no_grad():
        held = nn.functional.mse_loss(model(series[900:1200]), series[901:1201])
    print(f"{sum(kept) / len(kept):.4f} {held.item():.4f}")
show(model)
