# torchScript finds two types where a program has one
from typing import Optional

import torch


def shifted(x: torch.Tensor, bias: Optional[torch.Tensor], times: int):
    if bias is not None:
        x = bias + x
    a, b = x.unbind(0)
    return (a - b).repeat(times)


y = shifted(torch.ones(2, 2), None, 3)
