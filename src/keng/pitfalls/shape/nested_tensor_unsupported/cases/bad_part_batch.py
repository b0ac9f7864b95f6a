# a part of the batch
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
first = words[0:1]  # run: `slice`
