# a mask of another size
import torch

x, keep = torch.ones(3), torch.tensor([True, False])
kept = x[keep]  # run: `a mask of (2) for a tensor of (3)`
