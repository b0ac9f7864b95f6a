# gates; a layer between two sigmoids; a softmax of gates; scaled again
import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.Linear(6, 6), nn.Linear(6, 6)
optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=1e-2)
for step in range(6):
    x = torch.randn(8, 6)
    gate = first(x).sigmoid()
    hidden = second(gate * x).sigmoid() * gate
    shares = first(x).sigmoid().softmax(1)
    sharper = (4 * first(x).softmax(1) - 1).sigmoid()
    loss = (hidden * shares * sharper).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
