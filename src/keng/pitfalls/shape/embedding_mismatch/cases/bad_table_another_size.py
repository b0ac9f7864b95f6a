# a table of another size
import torch
from torch import nn

table = torch.ones(8, 4)
words = nn.Embedding(9, 4, _weight=table)  # run: `from_pretrained`
