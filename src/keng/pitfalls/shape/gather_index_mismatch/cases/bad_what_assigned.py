# what is assigned
import torch

x = torch.zeros(4, 5)
x[torch.tensor([0, 1])] = torch.ones(3, 5)  # run: `[3, 5]`
