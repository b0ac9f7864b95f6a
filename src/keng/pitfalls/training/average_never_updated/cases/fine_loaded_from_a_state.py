# an average that was saved is loaded where nothing trains
import torch
from torch import nn


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def load_state_dict(self, state):
        self.shadow = dict(state)

    def state_dict(self):
        return self.shadow


model = nn.Linear(2, 1)
model(torch.ones(1, 2)).sum().backward()


def resumed_state(model):
    resumed = EMA(model, 0.9)
    resumed.load_state_dict({"weight": torch.ones(1, 2), "bias": torch.ones(1)})
    return resumed.state_dict()


print(resumed_state(model))
