# a single edge
import torch

place = torch.searchsorted(torch.tensor(1.0), torch.ones(4))  # run: `torch.tensor([edge])`
