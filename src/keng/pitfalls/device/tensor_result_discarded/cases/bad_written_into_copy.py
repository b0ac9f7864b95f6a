# a mask takes a copy of the rows, and the value is written into that
import torch

boxes = torch.zeros(3, 4)
wide = boxes[:, 0] < 1
boxes[wide][..., 2] = 5  # check: `boxes[wide]` is a copy

# proof
assert boxes.sum() == 0
