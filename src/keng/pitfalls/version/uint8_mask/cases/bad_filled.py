# filled
import torch

x = torch.arange(4.0)
mask = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
y = x.masked_fill(mask, 0.0)  # run: only booleans are taken
