# in training
import torch
from torch import nn

torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = True  # check: and repeatable
model = nn.Conv2d(3, 4, 3)
y = model(torch.randn(2, 3, 8, 8))  # run: `deterministic`
