# A side of sorted values
import torch

values = torch.arange(3.0)
place = torch.searchsorted(values, torch.ones(1), side="middle")  # run: `'left' or 'right'`
