# a dimension that is not there
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.ln_structured(layer, "weight", amount=0.5, n=2, dim=2)  # run: `dimension 2`
