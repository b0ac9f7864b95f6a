# smaller than None
import torch

best = None
loss = torch.ones(())
if loss < best:  # run: `best`, which is None: line 3
    best = loss
