# parameters under numbers
import torch
from torch import nn

scales = nn.ParameterDict({1: torch.ones(2)})  # run: `str(...)`
