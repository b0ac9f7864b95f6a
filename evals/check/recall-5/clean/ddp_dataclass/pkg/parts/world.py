import functools
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


class World:
    def __init__(self):
        self.rank = int(os.environ.get("RANK", 0))
        self.local = int(os.environ.get("LOCAL_RANK", 0))
        self.size = int(os.environ.get("WORLD_SIZE", 1))
        self.cuda = torch.cuda.is_available()

    def __enter__(self):
        if self.cuda:
            torch.cuda.set_device(self.local)
        dist.init_process_group("nccl" if self.cuda else "gloo")
        return self

    def __exit__(self, *_):
        dist.destroy_process_group()

    @property
    def device(self):
        return torch.device("cuda", self.local) if self.cuda else torch.device("cpu")

    @property
    def main(self):
        return self.rank == 0

    def total(self, *numbers):
        tensor = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        dist.all_reduce(tensor)
        return tensor.tolist()

    @contextmanager
    def first(self):
        if not self.main:
            dist.barrier()
        yield
        if self.main:
            dist.barrier()


def main_only(function):
    @functools.wraps(function)
    def wrapped(world, *args, **kwargs):
        return function(world, *args, **kwargs) if world.main else None

    return wrapped


@main_only
def save(world, path, **state):
    torch.save(state, path)
