# a name that is not there
import torch


def scale(x):
    return x * factor


scripted = torch.jit.script(scale)  # run: `factor`
