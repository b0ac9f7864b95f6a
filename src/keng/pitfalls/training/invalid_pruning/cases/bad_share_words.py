# a share in words
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, "weight", amount="0.3")  # run: `0.3`
