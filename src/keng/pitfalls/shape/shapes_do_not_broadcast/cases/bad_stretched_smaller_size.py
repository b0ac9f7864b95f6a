# stretched to a smaller size
import torch

row = torch.ones(3)
grid = row.expand(4, 2)  # run: `3 cannot become 2`
