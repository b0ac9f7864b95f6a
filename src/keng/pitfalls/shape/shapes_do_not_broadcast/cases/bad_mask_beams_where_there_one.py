# a mask of the beams where there is one row; `x[:, :, mask]`
import torch

scores, ended = torch.zeros(1, 1, 5), torch.zeros(5, dtype=torch.bool)
kept = scores[:, ended]  # run: `dimension 2`
