# parameters, and not pairs
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.global_unstructured(layer.parameters(), prune.L1Unstructured, amount=0.2)  # run: pairs
