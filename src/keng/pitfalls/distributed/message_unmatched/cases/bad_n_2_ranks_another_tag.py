# 2 ranks, by another tag
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
activation = torch.ones(3)
if dist.get_rank() == 0:
    dist.send(activation, dst=1, tag=1)  # run: rank 1 asks for tag 0
else:
    dist.recv(activation, src=0)  # run: rank 0 sends tag 1
