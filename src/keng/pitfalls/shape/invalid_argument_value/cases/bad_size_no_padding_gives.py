# a size that no padding gives
import torch
from torch import nn

up = nn.ConvTranspose2d(3, 4, 3)
y = up(torch.ones(2, 3, 8, 8), output_size=(40, 40))  # run: 10 at most
