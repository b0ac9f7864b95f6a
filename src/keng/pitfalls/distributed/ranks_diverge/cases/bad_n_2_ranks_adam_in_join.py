# 2 ranks with different numbers of batches; Adam keeps moments of the steps that a rank has taken
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for epoch in range(6):
    with Join([model]):  # run: a rank that is out of batches takes no steps
        for batch in range(4 + 2 * dist.get_rank()):
            optimizer.zero_grad()
            model(torch.randn(8, 4)).square().mean().backward()
            optimizer.step()
