# heirs that share a signature; a number that is no default; a kept argument that is read; siblings of another call
import torch
from torch import nn


class Schedule:
    def __init__(self, start, end):
        self.start = start
        self.end = end

    def rate(self, step, total):
        first = self.start
        return first + 0 * step


class Linear(Schedule):
    def rate(self, step, total):
        part = step / total
        return self.start + (self.end - self.start) * part


class Strongest(nn.Module):
    def __init__(self, top_k=5, heads=4):
        super().__init__()
        self.top_k, self.heads = top_k, heads

    def forward(self, x):
        return torch.topk(x, self.top_k).values, torch.topk(x, 4)


rates = [Schedule(0.1, 1).rate(1, 10), Linear(0.1, 1).rate(2, 20)]
strongest = Strongest(2)(torch.arange(8.0))
