# two types come back
import torch


@torch.jit.script  # run: `int`
def first(x: torch.Tensor, wanted: bool):
    if wanted:
        return x
    return 0
