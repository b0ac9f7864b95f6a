# reduced after the loop; a copy; set anew in each round; a maximum; the mean that stays a mean
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
total, seen, mean, top = torch.zeros(1), torch.zeros(1), torch.zeros(1), torch.zeros(1)
for epoch in range(2):
    part = torch.zeros(1)
    for batch in torch.ones(8, 4).split(2):
        part += batch.mean()
        total += batch.mean()
        shown = total.clone()
        dist.all_reduce(shown)
        top += batch.max()
        dist.all_reduce(top, op=dist.ReduceOp.MAX)
        mean += batch.mean()
        dist.all_reduce(mean)
        mean /= dist.get_world_size()
    dist.all_reduce(part)
    seen += part
dist.all_reduce(total)
