# a chain of one
import torch

product = torch.linalg.multi_dot([torch.ones(2, 4)])  # run: `two`
