# it may be None
from typing import Optional

import torch


@torch.jit.script  # run: `assert`
def shifted(x: torch.Tensor, bias: Optional[torch.Tensor]):
    return bias + x
