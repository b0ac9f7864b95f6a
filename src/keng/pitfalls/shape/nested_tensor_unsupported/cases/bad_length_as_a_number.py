# the irregular size as a number
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
positions = torch.arange(words.size(1))  # run: `offsets().diff()`
