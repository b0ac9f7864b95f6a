# 2 ranks, the metrics of a dict that each rank has filled in another order
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
names = ["loss", "accuracy", "entropy"]
if dist.get_rank() == 1:
    names = names[1:] + names[:1]
metrics = {name: torch.tensor([float(len(name))]) for name in names}
for name, value in metrics.items():
    dist.all_reduce(value)  # run: `loss` of rank 0 is added to `accuracy` of rank 1
