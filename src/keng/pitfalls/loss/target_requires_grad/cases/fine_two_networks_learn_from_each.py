# two networks that learn from each other; one network for both sides; a target that is data or has no graph
import torch
import torch.nn.functional as F
from torch import nn

one, other = nn.Linear(8, 4), nn.Linear(8, 4)
x = torch.randn(16, 8)
F.mse_loss(one(x), other(x)).backward()
F.mse_loss(one(x), one(x + 0.1)).backward()
F.mse_loss(one(x), torch.randn(16, 4)).backward()
other.eval()
F.mse_loss(one(x), other(x).detach()).backward()
with torch.no_grad():
    goal = 1 + 0.9 * one(x + 0.1).max(1).values
F.mse_loss(one(x).max(1).values, goal).backward()
F.mse_loss(one(x)[:, 0], 1 + 0.9 * one(x + 0.1)[:, 0]).backward()
F.mse_loss(one(x).max(1).values, one(x + 0.1).max(1).values).backward()
