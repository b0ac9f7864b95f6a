# computed with
import torch

x = torch.ones(2, 3)
left = x - x.max(dim=1, keepdim=True)  # run: `.values`
