# a mask of another shape
import torch
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.custom_from_mask(layer, "weight", torch.ones(4, 3))  # run: `[3, 4]`
