# a comparison of lengths
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
too_long = words.size(1) > 512  # run: `offsets().diff()`
