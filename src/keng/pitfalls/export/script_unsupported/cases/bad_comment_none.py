# a comment that is none
import torch


@torch.jit.script  # run: (Tensor, int) -> Tensor
def repeat(x, times):
    # type: Tensor, int -> Tensor
    return x.repeat([times])
