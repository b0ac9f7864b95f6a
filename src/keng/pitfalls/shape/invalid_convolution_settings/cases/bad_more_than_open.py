# more than is open
import torch
from torch import nn

y = nn.ConvTranspose2d(3, 4, 3, output_padding=1)(torch.ones(1, 3, 8, 8))  # run: `output_padding`
