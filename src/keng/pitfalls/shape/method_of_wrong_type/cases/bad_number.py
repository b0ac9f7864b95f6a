# a number
import torch

x = torch.ones(3, requires_grad=True)
loss = (x * 2).sum().item()
loss.backward()  # run: `.item()`
