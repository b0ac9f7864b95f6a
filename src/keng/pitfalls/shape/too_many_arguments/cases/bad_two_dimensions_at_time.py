# two dimensions at a time
import torch

x = torch.ones(3, 4)
y = x.unsqueeze(0, 1)  # run: `gets 2 positional arguments but accepts 1`
