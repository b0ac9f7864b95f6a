# a weight that is computed
import copy

import torch
from torch import nn
from torch.nn.utils import prune

net = nn.Sequential(nn.Linear(2, 2))
prune.l1_unstructured(net[0], "weight", 0.5)
twin = copy.deepcopy(net)  # run: `prune.remove()`
