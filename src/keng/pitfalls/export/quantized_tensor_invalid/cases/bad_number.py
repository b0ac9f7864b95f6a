# a number
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x * 2  # run: `dequantize()`
