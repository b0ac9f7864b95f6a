# to be deleted
import torch

scores = torch.zeros(3)
del scores[0]  # run: `x[keep]`
