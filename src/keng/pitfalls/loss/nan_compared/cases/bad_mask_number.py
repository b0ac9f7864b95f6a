# a mask, and a number
import math

import torch

x = torch.tensor([1.0, float("nan")]).clone()
kept = x[x != torch.nan]  # check: keeps all
bad = float(kept.sum())
stop = bad == math.nan  # check: never true

# proof
assert len(kept) == 2 or stop is False
assert kept.isnan().any()
