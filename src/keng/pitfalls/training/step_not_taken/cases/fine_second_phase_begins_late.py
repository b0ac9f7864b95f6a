# all optimizers are cleared together: one steps in the second phase alone, one is replaced, one is stepped by hand
import torch
from torch import nn

torch.manual_seed(0)
body, head, scale = nn.Linear(4, 4), nn.Linear(4, 1), nn.Parameter(torch.ones(1))
first = torch.optim.Adam(head.parameters(), lr=0.01)
second = torch.optim.Adam(body.parameters(), lr=0.01)
third = torch.optim.SGD([scale], lr=0.01)
for step in range(50):
    for each in (first, second, third):
        each.zero_grad()
    x = torch.randn(8, 4)
    hidden = body(x).detach() if step < 40 else body(x)
    ((head(hidden) * scale).squeeze(1) - x.sum(1)).square().mean().backward()
    with torch.no_grad():
        scale -= 0.01 * scale.grad
    (first if step < 40 else second).step()
