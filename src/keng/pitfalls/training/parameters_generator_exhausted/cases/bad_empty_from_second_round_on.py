# empty from the second round on
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
clipped = (p for p in net.parameters() if p.requires_grad)
for _ in range(2):
    net(torch.ones(4, 2)).square().sum().mul(1000.0).backward()
    norm = nn.utils.clip_grad_norm_(clipped, 0.01)  # check: gone through in the round before
    optimizer.step()

# proof
assert norm == 0 and net.weight.grad.norm() > 1
