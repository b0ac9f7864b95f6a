# more than one number
import torch

slope = torch.func.grad(lambda x: x**2)
y = slope(torch.ones(3))  # run: `a single number`
