# selected
import torch

x = torch.arange(4.0)
mask = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
y = x.masked_select(mask)  # run: only booleans are taken
