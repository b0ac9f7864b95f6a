# 2 ranks, one of which reads; at the end of its input it makes the call that the others wait in
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
lines = iter(["first", "second"])
length = torch.zeros(1)
while length >= 0:
    if dist.get_rank() == 0:
        try:
            length.fill_(len(next(lines)))
        except StopIteration:
            length.fill_(-1)
            dist.broadcast(length, 0)
            break
    dist.broadcast(length, 0)
