# a conversion
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
y = x.to(torch.float32)  # run: `dequantize()`
