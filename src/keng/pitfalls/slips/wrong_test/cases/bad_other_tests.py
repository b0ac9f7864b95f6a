# a remainder of one, a default that hides its argument, zeros asked for any, other types, a function not called, a text for a tuple, a flag
import argparse

import torch
from torch import nn


class Finder(nn.Module):
    def __init__(self, threshold=None):
        super().__init__()
        self.threshold, self.layer = threshold, nn.Linear(2, 2)

    def forward(self, x, threshold=None):
        threshold = threshold if self.threshold is None else self.threshold  # check: `threshold` is respected only where
        return self.layer(x) > threshold

    def on_cpu(self):
        return next(self.parameters()).device == "cpu"  # check: never equals the text "cpu"


def checkpoints(epochs):
    return [epoch for epoch in range(epochs) if epoch + 1 % 50 == 0]  # check: `1 % 50` is computed first


def marked(done):
    ended = torch.zeros_like(done)
    if ended.any():  # check: `ended` was just filled with zeros
        ended[0] = True
    return ended


def kinds(x: torch.Tensor, mode):
    found = []
    if x.dtype == "float32":  # check: never equals the text "float32"
        found.append("dtype")
    if x.shape == [2, 2]:  # check: never equals the list [2, 2]
        found.append("shape")
    if torch.distributed.is_initialized:  # check: is a function and always true
        found.append("distributed")
    if mode in ("training"):  # check: is a text and no tuple
        found.append("mode")
    return found


def world():
    return 1


def saved(last, best):
    found = []
    for each in (last, best) if best else (last):  # check: `(last)` is no tuple
        found.append(each)
    if world == 1:  # check: `world` is a function
        found.append("one process")
    return found


def options(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--multiscale", action="store_false", help="Allow multi-scale training")  # check: says that it turns on
    return parser.parse_args(arguments)


finder = Finder(0.1)
found = finder(torch.ones(1, 2), threshold=1e9)

# proof
assert not finder.on_cpu()
assert checkpoints(100) == []
assert not marked(torch.ones(2, dtype=torch.bool)).any()
assert kinds(torch.zeros(2, 2), "train") == ["distributed", "mode"]
assert options([]).multiscale and not options(["--multiscale"]).multiscale
assert saved("ab", None) == ["a", "b"]
