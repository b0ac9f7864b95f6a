# a zero point beyond it
import torch

x = torch.quantize_per_tensor(torch.ones(3), 0.1, 300, torch.quint8)  # run: `300`
