# a separate copy; a registry of all objects; a class that is changed on purpose
import torch


class Regularizer(torch.nn.Module):
    weights = {"size": 1.0}
    registry = []
    known = {}

    def __init__(self, name="", **kwargs):
        super().__init__()
        self.weights = dict(self.weights)
        self.weights.update(kwargs)
        self.registry.append(name)
        Regularizer.known[name] = kwargs

    def forward(self, x):
        return self.weights["size"] * x


scaled = Regularizer(size=2.0)(torch.ones(1))
