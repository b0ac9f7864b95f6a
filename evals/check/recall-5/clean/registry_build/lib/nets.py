import torch
import torch.nn as nn

from .registry import register


class Counted:
    """No module: counts the calls of what is mixed with it."""

    calls = 0

    def count(self):
        self.calls += 1


@register("net")
class Mixer(Counted, nn.Module):
    def __init__(self, dim=64, depth=4):
        super().__init__()
        self.blocks = []
        for i in range(depth):
            block = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU())
            self.add_module(f"block{i}", block)
            self.blocks.append(block)
        self.register_buffer("mean", torch.zeros(dim))
        self.last = torch.zeros(1)

    def forward(self, x):
        self.count()
        x = x - self.mean
        for block in self.blocks:
            x = x + block(x)
        self.last = x.detach().mean()
        return x


@register("net")
class Masked(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.layers = nn.ModuleDict({"a": nn.Linear(dim, dim), "b": nn.Linear(dim, dim)})
        self.acts = {"a": nn.ReLU(), "b": nn.Tanh()}

    def forward(self, x):
        for name, layer in self.layers.items():
            x = self.acts[name](layer(x))
        return x
