# functions that are only mentioned, not called; availability checked later
import torch
from torch import nn

OLD = {torch.qr: "torch.linalg.qr", torch.cholesky: "torch.linalg.cholesky"}


def told(function):
    return OLD.get(function, "") if function in (torch.qr, torch.cholesky) else ""


def normalized(layer, plain):
    if plain:
        return layer
    else:
        weight_norm = nn.utils.weight_norm
        if hasattr(nn.utils.parametrizations, "weight_norm"):
            weight_norm = nn.utils.parametrizations.weight_norm
        return weight_norm(layer)


told(torch.sum)
normalized(nn.Linear(2, 2), plain=False)
