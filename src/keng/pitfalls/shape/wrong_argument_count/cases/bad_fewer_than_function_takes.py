# fewer than a function takes
import torch

last_first = torch.flip(torch.ones(2, 3))  # run: `dims`
