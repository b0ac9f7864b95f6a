# softplus by hand, in training
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    margin = net(torch.randn(16, 8))
    loss = torch.log(1 + torch.exp(-margin)).mean()  # check: exp overflows
    loss.backward()
    optimizer.step()
