# brackets
import torch

x = torch.zeros(3, 4)
rows = torch.tensor([0, 3])
y = x[rows]  # run: the last row is 2
