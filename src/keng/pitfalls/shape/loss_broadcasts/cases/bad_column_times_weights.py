# weights (N,) times squared errors (N, 1), computed by hand
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(64, 4), torch.randn(64, 1)
weight = torch.linspace(0, 2, 64)
for step in range(6):
    part = torch.randperm(64)[:16]
    error = (model(x[part]) - y[part]).square()
    loss = (error * weight[part]).mean()  # run: (16, 1) and the other (16,)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
each = error.detach().squeeze(1) * weight[part]
assert not torch.allclose(loss.detach(), each.mean())
assert torch.allclose(loss.detach(), error.detach().mean() * weight[part].mean())
