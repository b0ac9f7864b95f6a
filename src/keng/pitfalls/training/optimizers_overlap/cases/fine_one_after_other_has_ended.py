# one optimizer follows after the other has ended; two losses; separate parts
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
head = torch.optim.SGD(net[2].parameters(), lr=0.1)
whole = torch.optim.Adam(net.parameters(), lr=0.01)
body = torch.optim.SGD(net[0].parameters(), lr=0.1)
for optimizers in ([head], [whole], [body, head]):
    for step in range(4):
        net.zero_grad()
        net(torch.randn(8, 4)).square().mean().backward()
        for optimizer in optimizers:
            optimizer.step()
for step in range(4):
    for optimizer in (whole, head):
        optimizer.zero_grad()
        net(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
