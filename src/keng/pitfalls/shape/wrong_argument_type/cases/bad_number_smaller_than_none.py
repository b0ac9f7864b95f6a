# a number smaller than None
import torch


class Tracker:
    def __init__(self):
        self.best = None

    def is_better(self, loss):
        return loss < self.best  # run: `self.best`, which is None: line 6


Tracker().is_better(torch.ones(()).item())
