"""Losses and models by name, as in many internal code bases."""
from __future__ import annotations

import functools
from typing import Callable

import torch
import torch.nn as nn
import torch.nn.functional as F

LOSSES: dict[str, Callable] = {}
MODELS: dict[str, Callable[..., nn.Module]] = {}


def register(table, name):
    def wrap(thing):
        table[name] = thing
        return thing

    return wrap


LOSSES["ce"] = functools.partial(F.cross_entropy, size_average=False)  # check: loss-arguments-removed
LOSSES["bce"] = functools.partial(F.binary_cross_entropy_with_logits, reduction="mean")


@register(LOSSES, "focal")
def focal(logits, target, gamma=2.0):
    p = torch.sigmoid(logits)
    ce = -(target * torch.log(p) + (1 - target) * torch.log(1 - p))  # check: unstable-log
    return (ce * (1 - p) ** gamma).mean()


@register(LOSSES, "distill")
def distill(student, teacher, T=4.0):
    s = F.softmax(student / T, dim=1)
    t = F.softmax(teacher / T, dim=1)
    return F.kl_div(s, t, reduction="batchmean") * T * T  # check: kl-div-wants-log


@register(MODELS, "gated")
class Gated(nn.Module):
    def __init__(self, dim=64, experts=4, classes=10):
        super().__init__()
        make = functools.partial(nn.Linear, dim, dim)
        self.experts = [make() for _ in range(experts)]  # check: module-not-registered
        self.gate = nn.Linear(dim, experts)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        weights = F.softmax(self.gate(x))  # check: softmax-dim-missing
        stacked = torch.stack([expert(x) for expert in self.experts], dim=1)
        return self.head((weights.unsqueeze(-1) * stacked).sum(1))


@register(MODELS, "mlp")
def mlp(dim=64, classes=10):
    return nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, classes))


def train(name: str, loss: str, batches, epochs=3):
    model = MODELS[name]()
    criterion = LOSSES[loss]
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    for _ in range(epochs):
        for x, y in batches:
            opt.zero_grad()
            criterion(model(x), y).backward()
            opt.step()
    return model
