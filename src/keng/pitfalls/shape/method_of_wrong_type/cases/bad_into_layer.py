# into a layer
import torch
from torch import nn

flat = nn.Flatten()([torch.ones(2), torch.ones(2)])  # run: a list
