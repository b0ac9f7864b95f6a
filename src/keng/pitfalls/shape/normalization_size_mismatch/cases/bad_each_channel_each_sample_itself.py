# each channel of each sample by itself
import torch
from torch import nn

norm = nn.InstanceNorm1d(3, track_running_stats=True)
y = norm(torch.ones(2, 4, 7))  # run: `3 channels but gets 4`
