# a function
from typing import Callable

import torch


@torch.jit.script  # run: `Callable`
def apply(x, activation: Callable[[torch.Tensor], torch.Tensor]):
    return activation(x)
