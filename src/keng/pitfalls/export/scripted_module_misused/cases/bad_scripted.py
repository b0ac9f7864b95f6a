# not scripted
import torch
from torch import nn

torch.jit.freeze(nn.Linear(4, 3).eval())  # run: `torch.jit.script` first
