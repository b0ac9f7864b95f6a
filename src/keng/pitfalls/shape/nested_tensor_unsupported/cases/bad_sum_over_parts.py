# a sum over the parts
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
total = words.sum(1)  # run: `not over 1`
