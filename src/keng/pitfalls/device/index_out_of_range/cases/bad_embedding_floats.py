# an embedding of floats
import torch
from torch import nn

words = nn.Embedding(10, 4)
tokens = torch.ones(2, 3)
y = words(tokens)  # run: float indices
