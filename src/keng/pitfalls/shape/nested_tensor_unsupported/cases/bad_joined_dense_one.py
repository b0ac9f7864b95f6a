# joined with a dense one
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
both = torch.cat([words, torch.ones(1, 4)])  # run: `dense`
