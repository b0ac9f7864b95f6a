"""In the exchange of experts' loads one rank calls another collective.

Source: TrainCheck, deepspeed-5794. Cause: collectives-differ, collective-on-one-rank. Ranks: 2. Stalls.
"""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(nn.Linear(8, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    out = model(x)
    F.cross_entropy(out, y).backward()
    optimizer.step()
    load = torch.ones(4)
    shown = [torch.zeros_like(load) for _ in range(2)]
    if step != 10 or rank == 0:  #: faulty
        dist.all_gather(shown, load)  #: faulty here
    else:  #: faulty
        dist.broadcast(load, 0)  #: faulty here
    dist.all_gather(shown, load)  #: clean near
    if step % 5 == 0:  #: near
        dist.all_reduce(load)  #: near
dist.destroy_process_group()
