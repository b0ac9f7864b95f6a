# indices in a matrix, a bag in each row, and offsets as well
import torch
from torch import nn

words = torch.zeros(2, 2, dtype=torch.long)
y = nn.EmbeddingBag(3, 4)(words, torch.tensor([0]))  # run: `flatten()`
