# gradients that the program computes itself
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1).requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(32, 4), torch.randn(32, 1)
for step in range(40):
    error = model(x) - y
    optimizer.zero_grad()
    model.weight.grad = 2 * error.T @ x / len(x)
    model.bias.grad = 2 * error.mean(0)
    optimizer.step()
