# 2 ranks, a buffer of each rank's own
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        return self.layer(x - self.mean)


dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = Net()
model = nn.parallel.DistributedDataParallel(net, broadcast_buffers=False)  # run: `mean` differs
net.mean.fill_(torch.randn(100).mean())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
