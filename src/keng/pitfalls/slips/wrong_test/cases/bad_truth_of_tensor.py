# tensors that may be absent and are asked for their truth
from typing import Optional

import torch


def masked(x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
    if mask:  # check: `mask` is a tensor or None
        x = x.masked_fill(mask, 0.0)
    return x


def weighed(x, weights=None):
    return x * weights.view(-1, 1) if weights else x  # check: `weights` is a tensor or None


failed = []
for call in (lambda: masked(torch.ones(2), torch.tensor([True, False])), lambda: weighed(torch.ones(2, 2), torch.ones(2))):
    try:
        call()
    except RuntimeError as error:
        failed.append(str(error))

# proof
assert len(failed) == 2 and "ambiguous" in failed[0]
assert torch.equal(masked(torch.ones(1), torch.tensor([False])), torch.ones(1))
