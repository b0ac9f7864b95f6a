# without channels
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(4, 4), (1, 1, 1, 1), mode="reflect")  # run: `dimensions`
