# the rows of a split are looked up in a set of tensors
import torch

order = torch.randperm(10)
train = set(order[:8])  # check: each element of `order[:8]` is a tensor and a key of its own
rest = [row for row in range(10) if row not in train]

# proof
assert len(rest) == 10
