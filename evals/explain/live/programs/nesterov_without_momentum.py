import torch
from torch import nn

CONFIG = {
    "lr": 0.05,
    "momentum": 0.0,
    "nesterov": True,
    "weight_decay": 5e-4,
}


def make_optimizer(model, config):
    decay, no_decay = [], []
    for name, p in model.named_parameters():
        (no_decay if name.endswith("bias") else decay).append(p)
    groups = [{"params": decay}, {"params": no_decay, "weight_decay": 0.0}]
    return torch.optim.SGD(groups, **config)


model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2))
optimizer = make_optimizer(model, CONFIG)
print(optimizer)
