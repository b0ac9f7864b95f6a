# a decomposition
import torch

q, r = torch.linalg.qr(torch.ones(2, 2), "full")  # run: `complete`
