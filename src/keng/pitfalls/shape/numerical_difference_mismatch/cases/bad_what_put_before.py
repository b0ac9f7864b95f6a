# what is put before
import torch

step = torch.diff(torch.ones(2, 4), prepend=torch.ones(3, 1))  # run: `3 in dimension 0`
