# a plain integer
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.int8)  # run: `torch.qint8`
