# a flag, a list of tensors, a flag that is a tensor of one element, a name that is set again
from typing import List, Optional

import torch


def joined(parts: Optional[List[torch.Tensor]] = None, flatten=None) -> torch.Tensor:
    if not parts:
        return torch.zeros(1)
    whole = torch.cat(parts)
    return whole.view(-1) if flatten else whole


def stepped(found_inf: torch.Tensor):
    return "skipped" if found_inf else "stepped"


def shown(x=None):
    x = 1.0 if x is None else float(x.sum())
    return "some" if x else "none"


print(joined([torch.ones(1)], flatten=True), stepped(torch.zeros(1)), shown(torch.ones(2)))
