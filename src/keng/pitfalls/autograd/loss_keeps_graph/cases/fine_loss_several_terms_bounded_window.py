# a loss of several terms; a bounded window; a list that is cleared; totals without a graph; evaluation
from collections import deque

import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
window, recent = deque(maxlen=20), []
average, positive = 0.0, 0
for step in range(40):
    optimizer.zero_grad()
    loss = 0.0
    for scale in (0.5, 1.0):
        output = model(scale * torch.randn(16, 8))
        loss += output.square().mean()
    loss.backward()
    optimizer.step()
    window.append(loss)
    recent.append(loss)
    if len(recent) == 4:
        print(torch.stack(recent).mean().item())
        recent.clear()
    hits = (output > 0).sum()
    positive += hits
    with torch.no_grad():
        average += 0.1 * loss
losses = []
for step in range(3):
    losses.append(model(torch.randn(16, 8)).square().mean())
torch.stack(losses).sum().backward()
total = 0.0
with torch.no_grad():
    for step in range(40):
        loss = model(torch.randn(16, 8)).square().mean()
        total += loss
