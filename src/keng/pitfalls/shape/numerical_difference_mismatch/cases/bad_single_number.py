# a single number
import torch

step = torch.diff(torch.tensor(1.0))  # run: `dimension`
