# two views learn from each other; outputs that must be equivariant; an equation whose two sides are predicted
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(12):
    x, shift = torch.randn(32, 3), torch.randn(32, 3)
    two_views = F.mse_loss(model(x), model(x + 0.1 * torch.randn_like(x)))
    equivariant = F.mse_loss(model(x + shift), model(x) + shift)
    scaled = F.mse_loss(model(2 * x), 2 * model(x))
    equation = F.mse_loss(model(x + 0.01), model(x) + 0.01 * model(x).square())
    optimizer.zero_grad()
    (two_views + equivariant + scaled + equation + F.mse_loss(model(x), x)).backward()
    optimizer.step()
