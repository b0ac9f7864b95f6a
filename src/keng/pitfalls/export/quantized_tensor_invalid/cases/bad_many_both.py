# not as many of both
import torch

scales, zeros = torch.ones(2), torch.zeros(3)
x = torch.quantize_per_channel(torch.ones(2, 4), scales, zeros, 0, torch.quint8)  # run: `zero points differs`
