# attention between two batches
import torch
from torch import nn

query, memory = torch.ones(3, 2, 8), torch.ones(4, 3, 8)
y = nn.MultiheadAttention(8, 2)(query, memory, memory)  # run: `another batch size`
