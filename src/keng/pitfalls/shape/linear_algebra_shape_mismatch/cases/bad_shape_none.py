# a shape that is none
import torch

places = torch.unravel_index(torch.tensor([1]), (2, 2.0))  # run: `a tuple of integers`
