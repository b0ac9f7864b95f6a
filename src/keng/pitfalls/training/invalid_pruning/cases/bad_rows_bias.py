# rows of a bias
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.ln_structured(layer, "bias", amount=0.5, n=2, dim=0)  # run: `[3]`
