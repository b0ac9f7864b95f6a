# features of source and target
import torch
from torch import nn

model = nn.Transformer(8, 2, 1, 1, 16)
out = model(torch.ones(5, 2, 8), torch.ones(5, 2, 6))  # run: `d_model`
