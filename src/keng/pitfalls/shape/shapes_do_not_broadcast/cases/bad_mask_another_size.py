# a mask of another size
import torch

x, keep = torch.ones(3), torch.tensor([True, False])
kept = x[keep]  # run: `the mask is (2) but the tensor is (3)`
