import os

import torch
import torch.distributed as dist


def setup():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def is_main():
    return not dist.is_initialized() or dist.get_rank() == 0


def reduce_mean(tensor):
    tensor = tensor.detach().clone()
    dist.all_reduce(tensor)
    return tensor / dist.get_world_size()
