# a wrong combination
import torch

total = torch.sum(torch.ones(2, 3), axes=1)  # run: there is no axes
