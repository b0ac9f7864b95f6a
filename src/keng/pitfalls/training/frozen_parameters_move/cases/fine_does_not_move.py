# a frozen parameter that does not move
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(32, 4), torch.randn(32, 1)
for step in range(40):
    if step == 4:
        model[0].requires_grad_(False)
    optimizer.zero_grad(set_to_none=False)
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
