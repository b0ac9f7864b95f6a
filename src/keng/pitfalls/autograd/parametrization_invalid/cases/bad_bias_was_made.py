# a bias that was not made
from torch import nn

layer = nn.utils.spectral_norm(nn.Linear(2, 2, bias=False), "bias")  # run: `bias=False`
