# a complex number
import torch

x = torch.zeros(3)
x.fill_(1j)  # run: `z.real`
