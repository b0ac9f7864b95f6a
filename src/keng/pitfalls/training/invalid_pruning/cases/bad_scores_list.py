# scores in a list
import torch
from torch import nn
from torch.nn.utils import prune

pairs = [(nn.Linear(4, 3), "weight")]
prune.global_unstructured(pairs, prune.L1Unstructured, [torch.ones(3, 4)], amount=0.5)  # run: dict
