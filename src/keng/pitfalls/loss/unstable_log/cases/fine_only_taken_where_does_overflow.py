# used only where it does not overflow
import torch

x = torch.linspace(-5.0, 90.0, 10)
softplus = torch.where(x > 20.0, x, torch.log(1.0 + torch.exp(x)))
