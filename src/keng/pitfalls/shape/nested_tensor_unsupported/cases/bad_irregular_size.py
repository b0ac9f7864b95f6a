# an irregular size
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
length = words.size(1)  # run: `dimension 1`
