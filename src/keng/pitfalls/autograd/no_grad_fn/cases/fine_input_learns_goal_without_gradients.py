# an input that is optimized; a target without gradients; a loss made for an example
import torch
from torch import nn

model = nn.Linear(4, 2).requires_grad_(False)
x, goal = torch.randn(3, 4), torch.randn(3, 4)
x.requires_grad_(True)
loss = (x - goal.detach()).square().sum()
loss.backward()
w = torch.tensor(2.0, requires_grad=True)
y = w * goal.argmax()
y.backward()
with torch.no_grad():
    wanted = model(goal)
x = goal.clone()
x.requires_grad = True
error = (model(x) - wanted).square().mean()
error.backward()
