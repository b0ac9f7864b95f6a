# two vectors
import torch

a, b = torch.ones(3), torch.arange(3)
c = torch.dot(a, b)  # run: integers meet float32
