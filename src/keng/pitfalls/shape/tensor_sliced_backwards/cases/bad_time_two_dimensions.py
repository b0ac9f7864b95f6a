# time, of two dimensions
import torch

sequence = torch.zeros(5, 3)
sequence = sequence[::-1, :]  # check: from the last step to the first
