# a loss that has converged; one that is divided by itself; one that changes little
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(32, 3), torch.randn(32, 1)
model, other, slow = nn.Linear(3, 1), nn.Linear(3, 1), nn.Linear(3, 1)
parameters = [*model.parameters(), *other.parameters()]
optimizer = torch.optim.SGD([{"params": parameters}, {"params": slow.parameters(), "lr": 1e-4}], lr=0.3)
for step in range(120):
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    loss = F.mse_loss(other(x), y)
    (loss / loss.detach()).backward()
    (0.4 + 0.1 * F.mse_loss(slow(x), y)).backward()
    optimizer.step()
