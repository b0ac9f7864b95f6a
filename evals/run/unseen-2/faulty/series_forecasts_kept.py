"""A forecaster carries its state well, and keeps each forecast with the graph that made it."""

import math

import torch
from digest import show
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTM(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state):
        y, state = self.cell(x, state)
        return self.out(y), state


def windows(series, size):
    for at in range(0, len(series) - size - 1, size):
        yield series[at : at + size], series[at + 1 : at + size + 1]


torch.manual_seed(0)
time = torch.arange(1600.0)
series = torch.sin(time * 2 * math.pi / 25) + 0.3 * torch.sin(time / 7) + 0.05 * torch.randn(1600)
series = series.view(-1, 1, 1)
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), 5e-3)
forecasts = []
for epoch in range(4):
    state = None
    for past, future in windows(series, 20):
        guessed, state = model(past, state)
        state = tuple(part.detach() for part in state)
        loss = nn.functional.huber_loss(guessed, future)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        forecasts.append(guessed[-1, 0])  # run: memory-grows or loss-keeps-graph
print(len(forecasts), f"{loss.item():.5f}")
show(model)
