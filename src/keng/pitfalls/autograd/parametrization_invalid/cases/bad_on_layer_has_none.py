# on a layer that has none
from torch import nn

layer = nn.utils.spectral_norm(nn.Sequential(nn.Linear(4, 3)))  # run: `weight`
