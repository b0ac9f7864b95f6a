# of a name that it does not have
import torch


@torch.jit.script  # run: `rounding`
def half(x):
    return torch.div(x, 2, rounding="floor")
