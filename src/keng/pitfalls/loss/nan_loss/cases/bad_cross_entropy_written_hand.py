# a cross-entropy written by hand
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 3)
x = torch.randn(16, 8)
x[5] *= 1000
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    p = torch.softmax(net(x), dim=1)
    entropy = p * torch.log(p)  # run: p is exactly 0 where the model is sure
    (-entropy.sum(1).mean()).backward()
    optimizer.step()
