# a device for what converts
import torch

x = torch.ones(3)
y = x.half("cpu")  # run: `x.to(...)`
