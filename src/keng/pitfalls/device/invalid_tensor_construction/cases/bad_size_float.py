# a size that is a float
import torch

x = torch.zeros(6 / 2, 3)  # run: whole numbers
