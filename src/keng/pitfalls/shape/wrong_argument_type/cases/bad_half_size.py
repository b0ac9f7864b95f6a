# half of a size
import torch
from torch import nn

width = 6
layer = nn.Linear(width / 2, 2)  # run: a float for a size
