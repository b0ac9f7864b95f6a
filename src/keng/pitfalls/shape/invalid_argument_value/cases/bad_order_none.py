# an order that is none
import torch

order = torch.tensor([2, 0, 5])
place = torch.searchsorted(torch.arange(3.0), torch.ones(4), sorter=order)  # run: `argsort()`
