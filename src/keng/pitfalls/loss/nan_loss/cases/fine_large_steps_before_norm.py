# steps that replace weights before a batch norm, which train well
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 2, bias=False), nn.BatchNorm1d(2, affine=False))
optimizer = torch.optim.SGD(net.parameters(), lr=20.0)
x = torch.randn(64, 8)
y = (x[:, 0] > 0).long()
losses, changes = [], []
for step in range(40):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    before = net[0].weight.detach().clone()
    optimizer.step()
    losses.append(loss.item())
    changes.append(float((net[0].weight.detach() - before).norm() / before.norm()))
assert changes[0] > 1 and losses[-1] < 0.8 * losses[0], (changes, losses)
