# scales of other channels
import torch

x, scales, zeros = torch.ones(2, 4), torch.ones(3), torch.zeros(3)
x = torch.quantize_per_channel(x, scales, zeros, 0, torch.quint8)  # run: `2 channels`
