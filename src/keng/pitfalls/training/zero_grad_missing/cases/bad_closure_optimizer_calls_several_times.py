# by the closure of an optimizer that calls it several times
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
model = nn.Linear(4, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.01, max_iter=4)


def closure():
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()  # run: adds to gradients
    return loss


for step in range(6):
    optimizer.step(closure)
