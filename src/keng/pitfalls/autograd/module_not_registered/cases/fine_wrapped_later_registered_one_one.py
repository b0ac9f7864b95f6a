# wrapped later; registered one by one; without parameters; parts that are registered already
import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = [nn.Linear(8, 8), nn.ReLU()]
        self.net += [nn.Linear(8, 1)]
        self.net = nn.Sequential(*self.net)


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = []
        for n in range(2):
            block = nn.Linear(8, 8)
            self.add_module(f"block{n}", block)
            self.blocks.append(block)
        self.heads = [nn.Linear(8, 1), nn.Linear(8, 2)]
        for n, head in enumerate(self.heads):
            self.add_module(f"head{n}", head)


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.choices = [nn.ReLU(), nn.GELU(), nn.Identity()]
        self.a, self.b = nn.Linear(8, 8), nn.Linear(8, 8)
        self.order = [self.b, self.a]


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        for _ in range(2):
            self.layers.append(nn.Linear(8, 8))
        self.stack = nn.ModuleList(self.layers)


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        layers, names = [], []
        for n in range(2):
            layers.append(nn.Linear(8, 8))
            names.append(f"layer{n}")
        self.stack, self.names = nn.Sequential(*layers), names
        self.layers = layers


class Ensemble:
    def __init__(self):
        self.models = [nn.Linear(8, 1) for _ in range(3)]


class Doubled(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [Doubled(), Ensemble()]


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = [nn.Linear(8, 1).requires_grad_(False)]


Wrapped(), ByName(), Activations(), Listed(), Stacked(), Ensemble(), Plain(), Teacher()
