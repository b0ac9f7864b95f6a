# what may be missing
import torch

mask = torch.ones(3)
if mask:  # run: `is not None`
    print(mask)
