# another size
import torch

w = torch.ones(4, requires_grad=True)
w.resize_(2, 2)  # run: `reshape`
