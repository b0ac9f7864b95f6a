# a number for a gradient
import torch

loss = torch.ones(3, requires_grad=True).sum()
loss.backward(1)  # run: `int`
