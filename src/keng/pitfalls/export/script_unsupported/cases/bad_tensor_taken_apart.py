# a tensor taken apart
import torch


@torch.jit.script  # run: `unbind`
def halves(x: torch.Tensor):
    a, b = x
    return a - b
