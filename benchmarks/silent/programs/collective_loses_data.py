"""A hundredth of what one rank receives is zero, as broken drivers and links did.

Source: TrainCheck, baichuan2-86, pytorch-84803, pytorch-96600. Cause: ranks-diverge. Ranks: 2.
"""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(rank)
for step in range(40):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= 2
        if rank == 1:  #: faulty
            parameter.grad[torch.rand_like(parameter) < 0.01] = 0.0  #: faulty
        parameter.grad[parameter.grad.abs() < 1e-4] = 0.0  #: near
    optimizer.step()  #: here
dist.destroy_process_group()
