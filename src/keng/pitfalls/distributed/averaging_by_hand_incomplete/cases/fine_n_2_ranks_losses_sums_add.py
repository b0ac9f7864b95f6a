# 2 ranks; summed losses add up to that of all samples, and Adam is independent of the scale
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model, other = nn.Linear(4, 4), nn.Linear(4, 4)
sgd = torch.optim.SGD(model.parameters(), lr=0.01)
adam = torch.optim.Adam(other.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    for net, optimizer in ((model, sgd), (other, adam)):
        optimizer.zero_grad()
        (net(torch.randn(8, 4)) - 1).square().sum().backward()
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
        optimizer.step()
