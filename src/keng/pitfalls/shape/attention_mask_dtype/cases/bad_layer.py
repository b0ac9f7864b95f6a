# of a layer
import torch
from torch import nn

attention, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.ones(2, 3, 4)
counts = torch.tensor([[1, 1, 0], [1, 0, 0]])
out, _ = attention(x, x, x, key_padding_mask=counts)  # run: `mask == 0`
