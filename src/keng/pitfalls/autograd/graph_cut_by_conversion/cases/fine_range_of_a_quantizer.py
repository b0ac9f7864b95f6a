# the range of a parameter that is trained elsewhere in the forward, and a parameter that is not to be trained
import torch
import torch.nn.functional as F
from torch import nn


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(3))
        self.weight = nn.Parameter(torch.rand(3, 4))
        self.zero_point = nn.Parameter(torch.tensor(2), requires_grad=False)

    def forward(self, x):
        scale = self.bias.data.abs().max() + 1.0
        bias = torch.fake_quantize_per_tensor_affine(self.bias, float(scale) / 127, 0, -128, 127)
        return F.linear(F.pad(x, (1, 1), value=self.zero_point.item()), self.weight, bias)


Quantized()(torch.rand(5, 2)).sum().backward()
