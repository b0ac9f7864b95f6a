import functools

import torch.distributed as dist


def main_only(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return fn(*args, **kwargs)

    return wrapper


class Hook:
    def before_epoch(self, engine): ...
    def after_step(self, engine): ...
    def after_epoch(self, engine): ...


class LogHook(Hook):
    def __init__(self, every=50):
        self.every = every
        self.total = 0

    def after_step(self, engine):
        self.total = self.total + engine.loss  # check: loss-keeps-graph
        if engine.iteration % self.every == 0:
            print(f"{engine.iteration}: {float(self.total) / self.every:.4f}")
            self.total = 0


class BarrierSaveHook(Hook):
    @main_only
    def after_epoch(self, engine):
        engine.save()
        dist.barrier()  # check: collective-on-one-rank
