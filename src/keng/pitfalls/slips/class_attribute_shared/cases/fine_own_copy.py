# a separate copy; a registry of all objects; a class that is changed on purpose; an entry for each object
import torch


class Regularizer(torch.nn.Module):
    weights = {"size": 1.0}
    registry = []
    known = {}
    seconds = {}
    calls = {}

    def __init__(self, name="", **kwargs):
        super().__init__()
        self.weights = dict(self.weights)
        self.weights.update(kwargs)
        self.registry.append(name)
        Regularizer.known[name] = kwargs
        self.seconds.setdefault(name, 0.0)
        self.calls[name] = 0

    def forward(self, x):
        return self.weights["size"] * x


scaled = Regularizer(size=2.0)(torch.ones(1))
