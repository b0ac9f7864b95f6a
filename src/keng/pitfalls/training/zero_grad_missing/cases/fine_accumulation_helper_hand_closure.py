# accumulation; a helper; by hand; a closure
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)


def reset_grad():
    model.zero_grad()


for step in range(8):
    loss = model(torch.randn(16, 8)).square().mean() / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for step in range(4):
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
    reset_grad()
for step in range(4):
    for p in model.parameters():
        p.grad = None
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
lbfgs = torch.optim.LBFGS(model.parameters(), max_iter=2)


def closure():
    lbfgs.zero_grad()
    loss = model(torch.ones(16, 8)).square().mean()
    loss.backward()
    return loss


for step in range(3):
    lbfgs.step(closure)
