# detached on another line or in the model; time steps in one graph; both passes intended; a sum, which stores nothing
import torch
from torch import nn


def repackage(hidden):
    return tuple(part.detach() for part in hidden)


class Keeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 8)

    def forward(self, x, state):
        state = self.cell(x, state.detach())
        return state.sum(1), state


lstm, gru, cell, keeper = nn.LSTM(4, 8), nn.GRU(4, 8), nn.GRUCell(4, 8), Keeper()
models = nn.ModuleList([lstm, gru, cell, keeper])
optimizer = torch.optim.SGD(models.parameters(), lr=0.1)
hidden = torch.zeros(1, 2, 8), torch.zeros(1, 2, 8)
for step in range(2):
    optimizer.zero_grad()
    hidden = repackage(hidden)
    out, hidden = lstm(torch.randn(5, 2, 4), hidden)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
state = torch.zeros(1, 2, 8)
for step in range(2):
    optimizer.zero_grad()
    out, state = gru(torch.randn(5, 2, 4), state)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
    state.detach_()
state = torch.zeros(2, 8)
for step in range(2):
    optimizer.zero_grad()
    out, state = keeper(torch.randn(2, 4), state)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
for step in range(2):
    optimizer.zero_grad()
    state = torch.zeros(2, 8)
    for x in torch.randn(5, 2, 4):
        state = cell(x, state)
    loss = state.square().mean()
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
loss = lstm(torch.randn(5, 2, 4))[0].mean()
if loss.item() > 1:
    loss.backward()
if loss.item() <= 1:
    loss.backward()
x = torch.ones(2, requires_grad=True)
total = x.sum()
total.backward()
total.backward()
if total > 1:
    loss = lstm(torch.randn(5, 2, 4))[0].mean()
    loss.backward()
else:
    loss = gru(torch.randn(5, 2, 4))[0].mean()
    loss.backward()
