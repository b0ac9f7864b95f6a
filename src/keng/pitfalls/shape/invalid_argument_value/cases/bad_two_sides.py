# two sides
import torch

values, x = torch.arange(3.0), torch.ones(4)
place = torch.searchsorted(values, x, side="left", right=True)  # run: `side=`
