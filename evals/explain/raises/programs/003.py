# argument: strategy='forward-mode'
import torch


def square(x):
    return x * x


x = torch.ones(3)
torch.autograd.functional.jacobian(
    square, x, create_graph=True, strategy="forward-mode", vectorize=True
)
