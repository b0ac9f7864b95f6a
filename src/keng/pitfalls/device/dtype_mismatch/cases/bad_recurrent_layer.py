# a recurrent layer
import torch
from torch import nn

lstm = nn.LSTM(3, 4)
x = torch.ones(5, 1, 3, dtype=torch.float64)
y, _ = lstm(x)  # run: float64 meets float32 weights
