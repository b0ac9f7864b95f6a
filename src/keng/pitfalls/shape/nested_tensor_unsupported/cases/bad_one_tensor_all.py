# one tensor of all
import torch

words = torch.nested.nested_tensor(torch.ones(2, 4))  # run: `a list`
