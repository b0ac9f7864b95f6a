# with a plain one
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x + torch.ones(3)  # run: `dequantize()`
