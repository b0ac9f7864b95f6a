# what the layer is asked for that its result has
import torch
from torch import nn

y = nn.ReLU(torch.ones(2))
rows = y.size(0)  # run: the layer, not its result
