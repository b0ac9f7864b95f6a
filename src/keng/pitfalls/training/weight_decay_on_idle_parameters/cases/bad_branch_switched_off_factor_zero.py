# a branch that is switched off by a factor of zero
import torch
from torch import nn

torch.manual_seed(0)
main, side = nn.Linear(8, 1), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*main.parameters(), *side.parameters()], lr=0.1, weight_decay=0.1)
for step in range(20):
    optimizer.zero_grad()
    x = torch.randn(16, 8)
    (main(x) + 0.0 * side(x)).square().mean().backward()
    optimizer.step()
