# 2 ranks; sums and counts by name, which each rank has met in another order, packed into one tensor
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
meters = {}
for step in range(6):
    name = ("news", "books", "code")[(step + rank) % 3]
    total, count = meters.get(name, (0.0, 0))
    meters[name] = (total + len(name), count + 1)
for name, (total, count) in meters.items():
    both = torch.tensor([total, float(count)])
    dist.all_reduce(both)  # run: `news` of rank 0 is added to `books` of rank 1
