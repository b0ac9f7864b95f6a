# both sides are squeezed; elsewhere
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(4, 4), torch.rand(4)
loss = F.mse_loss(model(x).squeeze(), y.squeeze())
shown = model(x).squeeze()
