# an update by hand
import torch

w = torch.randn(4, requires_grad=True)
(w.square().sum()).backward()
w -= 0.1 * w.grad  # run: recorded
