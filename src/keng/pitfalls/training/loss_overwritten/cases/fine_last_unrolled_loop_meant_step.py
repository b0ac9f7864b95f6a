# the last step of an unrolled loop is meant; a step in each iteration; terms kept in a list; a loop left at the first match; one of several terms by a condition
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
cell, body, head = nn.GRUCell(4, 8), nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
sequence, y = torch.randn(5, 16, 4), torch.randint(2, (16,))
h = torch.zeros(16, 8)
for x in sequence:
    h = cell(x, h)
    loss = F.cross_entropy(head(h), y)
loss.backward()
estimate, loss = torch.zeros(16, 8), 0.0
for x in sequence:
    estimate = estimate + 0.1 * body(x)
    loss = F.cross_entropy(head(estimate), y)
loss.backward()
for x in sequence:
    loss = F.cross_entropy(head(body(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
kept, total = [], 0.0
for x in sequence:
    loss = F.cross_entropy(head(body(x)), y)
    kept.append(loss)
    total = total + loss
(torch.stack(kept).mean() + total).backward()
for x in sequence:
    loss = F.cross_entropy(head(body(x)), y)
    if loss < 1:
        break
loss.backward()
loss = 0.0
for n, x in enumerate(sequence):
    if n == 2:
        loss = F.cross_entropy(head(body(x)), y)
loss.backward()
