# a dtype
import torch

x = torch.float32(torch.ones(3))  # run: `x.to(torch.float32)`
