# a view without its batch
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
flat = words.reshape(-1)  # run: `values()`
