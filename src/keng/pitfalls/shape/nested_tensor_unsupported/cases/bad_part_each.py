# a part of each
import torch

lengths = torch.tensor([1, 2])
offsets = torch.tensor([0, 2, 6])
words = torch.nested.nested_tensor_from_jagged(torch.ones(6, 3), offsets, lengths)
padded = words.to_padded_tensor(0.0)  # run: `contiguous()`
