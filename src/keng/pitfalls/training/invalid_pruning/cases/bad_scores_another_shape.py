# scores of another shape
import torch
from torch import nn
from torch.nn.utils import prune

layer, scores = nn.Linear(4, 3), torch.ones(4, 3)
prune.l1_unstructured(layer, "weight", 0.3, importance_scores=scores)  # run: scores
