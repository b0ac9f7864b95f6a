# one row of bags
import torch
from torch import nn

bags = nn.EmbeddingBag(9, 4)
mean = bags(torch.tensor([1, 2, 5]))  # run: `offsets`
