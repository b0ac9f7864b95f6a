# a gradient
import torch

start = torch.tensor([1, 2, 3], requires_grad=True)  # run: whole numbers have no gradient
