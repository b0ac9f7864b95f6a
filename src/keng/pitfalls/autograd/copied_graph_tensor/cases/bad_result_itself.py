# a result itself
import copy

import torch

out = torch.ones(2, requires_grad=True) * 2
kept = copy.deepcopy(out)  # run: `out.detach().clone()`
