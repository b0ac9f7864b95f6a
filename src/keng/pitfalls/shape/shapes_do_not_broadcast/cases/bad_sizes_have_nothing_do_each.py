# sizes that have nothing to do with each other
import torch

left, right = torch.ones(2, 4), torch.ones(2, 5)
total = left + right  # run: 4 and 5
