# two indices
import torch

x = torch.ones(4, 5)
y = x[torch.tensor([0, 1, 2]), torch.tensor([0, 1])]  # run: `[3], [2]`
