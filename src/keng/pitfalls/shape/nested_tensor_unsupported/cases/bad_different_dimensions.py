# of different dimensions
import torch

words = torch.nested.nested_tensor([torch.ones(2), torch.ones(3, 3)])  # run: `1 and 2`
