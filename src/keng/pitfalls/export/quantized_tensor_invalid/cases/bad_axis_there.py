# an axis that is not there
import torch

scales, zeros = torch.ones(2), torch.zeros(2)
x = torch.quantize_per_channel(torch.ones(2, 4), scales, zeros, 5, torch.quint8)  # run: `axis 5`
