# no heads
import torch
from torch.nn.attention.flex_attention import flex_attention

x = torch.ones(2, 128, 16)
y = flex_attention(x, x, x)  # run: `unsqueeze(1)`
