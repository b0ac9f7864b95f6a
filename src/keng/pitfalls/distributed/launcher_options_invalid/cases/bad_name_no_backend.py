# a name of no backend
import torch.distributed as dist

place = {"store": dist.HashStore(), "rank": 0, "world_size": 1}
dist.init_process_group("cpu:gloo,nccl", **place)  # run: `cpu:gloo,cuda:nccl`
