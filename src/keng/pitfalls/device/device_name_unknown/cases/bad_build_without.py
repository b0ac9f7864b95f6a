# a build without it
import torch

x = torch.ones(2, device="xpu")  # run: `XPU`
