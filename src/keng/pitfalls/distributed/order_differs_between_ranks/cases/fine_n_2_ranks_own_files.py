# 2 ranks; each its own files and numbers, a list that is shuffled on purpose, a set of names that nothing counts on
import random
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
shards = [f"part-{n}" for n in range(8)]
random.Random(rank).shuffle(shards)
mine = {f"part-{n}": n for n in range(rank, 8, 2)}
seen = list(set(shards))
seen.sort(reverse=rank == 0)
print(len(seen), len(mine))
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
torch.manual_seed(rank)
for shard in shards[:3]:
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
