# A global
import torch

sizes = {"small": 2}


def scale(x):
    return x * sizes["small"]


scripted = torch.jit.script(scale)  # run: a value of type `dict`
