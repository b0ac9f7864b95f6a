# a size that does not divide
import torch

pairs = torch.ones(6).reshape(-1, 4)  # run: `6 elements are not divisible by 4`
