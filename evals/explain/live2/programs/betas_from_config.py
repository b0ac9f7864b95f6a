import torch
from torch import nn

CONFIG = {
    "model": {"width": 16, "classes": 4},
    "optimizer": {"lr": 3e-4, "betas": (0.9, 1.0), "weight_decay": 0.01},
}


def build(config):
    model = nn.Linear(config["model"]["width"], config["model"]["classes"])
    optimizer = torch.optim.AdamW(model.parameters(), **config["optimizer"])
    return model, optimizer


model, optimizer = build(CONFIG)
model(torch.randn(2, 16)).sum().backward()
optimizer.step()
