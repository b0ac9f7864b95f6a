# a window
import torch

x = torch.ones(5)
window = x.narrow(0, 2, 4)  # run: `4`
