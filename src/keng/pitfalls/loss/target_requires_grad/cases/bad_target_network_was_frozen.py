# a target network that was not frozen
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net, target_net = nn.Linear(8, 4), nn.Linear(8, 4)
target_net.eval()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    wanted = target_net(torch.randn(16, 8))
    loss = F.mse_loss(net(torch.randn(16, 8)), wanted)  # run: `wanted` comes from `target_net`
    loss.backward()
    optimizer.step()
