# a slope that is no number
import torch
from torch import nn

nn.init.kaiming_uniform_(torch.empty(3, 2), a="leaky_relu")  # run: `leaky_relu`
