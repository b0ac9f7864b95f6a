# 2 ranks; a group passed by position; a test of a collective that the others do not join
from contextlib import contextmanager
from datetime import timedelta

import torch.distributed as dist

dist.init_process_group("gloo")
groups = [dist.new_group([0]), dist.new_group([1])]


@contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError


if dist.get_rank() == 0:
    dist.barrier(groups[0])
    with raises(RuntimeError):
        dist.monitored_barrier(timeout=timedelta(seconds=0.1))
