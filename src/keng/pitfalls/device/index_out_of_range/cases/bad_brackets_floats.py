# brackets, with floats
import torch

x, rows = torch.zeros(3, 4), torch.linspace(0, 2, 3)
y = x[rows]  # run: float indices
