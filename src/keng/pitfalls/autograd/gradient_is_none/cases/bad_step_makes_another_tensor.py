# a step that makes another tensor
import torch

w = torch.randn(3)
w = w - 0.1 * w.grad  # run: `which makes a result`
