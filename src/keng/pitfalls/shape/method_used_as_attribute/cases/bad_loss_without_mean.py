# a loss without its mean
import torch

loss = torch.ones(2, requires_grad=True).mean
loss.backward()  # run: parentheses
