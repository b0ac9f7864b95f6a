# the same, in anomaly mode
import torch

x = torch.zeros(3, requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    (torch.sqrt(x) * 0.0).sum().backward()
