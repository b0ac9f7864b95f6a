# lists of numbers, also of numbers that NumPy computed, and tensors
import numpy as np
import torch

x = torch.tensor([0.5 * n for n in range(4)])
means = torch.tensor([np.mean([n, 1]) for n in range(4)])
sizes = torch.tensor([len("abc"), 2])
y = torch.stack([torch.zeros(3) for _ in range(4)])
z = torch.tensor(y.tolist())
