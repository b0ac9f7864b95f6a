# padding behind the table
import torch
from torch import nn

table = nn.Embedding(10, 4, padding_idx=10)  # run: `num_embeddings - 1`
