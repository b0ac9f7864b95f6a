# arguments in a list, as one tuple, or by name
import torch

x = torch.ones(3, 4)
rows = torch.hstack([x, x])
y = x[None, None].reshape(2, 3, 2).to("cpu", torch.half)
first = x[0, 0].item()
