# 2 ranks, each with files of its own and in its own order: what is summed means the same
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
files = ["a.txt", "b.txt", "c.txt"]
files = files[::-1] if dist.get_rank() else files
lengths = {"a.txt": 3.0, "b.txt": 5.0, "c.txt": 7.0}
total = torch.zeros(1)
for file in files:
    read = lengths[file]
    total += read
    shown = total.clone()
    dist.all_reduce(shown)
names = {"loss": 1.0, "accuracy": 2.0}
for name in sorted(names):
    value = torch.tensor([names[name]])
    dist.all_reduce(value)
