# a module in place of pairs
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.global_unstructured(layer, prune.L1Unstructured, amount=0.2)  # run: pairs
