# 2 ranks, gradients averaged by hand, and a buffer that each has computed of its own data
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self, x):
        super().__init__()
        self.register_buffer("mean", x.mean(0))
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x - self.mean)


dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(rank)
x = torch.randn(32, 4)
torch.manual_seed(0)
model = Net(x)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for batch in x.split(8):
    optimizer.zero_grad()
    model(batch).square().mean().backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= world
    optimizer.step()  # run: the buffer `mean` is each rank's own
