# two backward passes through one graph; a graph from before the loop; a gradient of the gradient
import torch
from torch import nn

model, other = nn.Linear(8, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*model.parameters(), *other.parameters()], lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    features = model(torch.randn(4, 8))
    first, second = features.square().mean(), other(features).square().mean()
    first.backward(retain_graph=True)
    second.backward()
    optimizer.step()
image = torch.zeros(4, 8, requires_grad=True)
style = torch.tanh(model(torch.ones(4, 8)))
tune = torch.optim.SGD([image], lr=0.1)
for step in range(2):
    tune.zero_grad()
    loss = (image - style).square().mean()
    loss.backward(retain_graph=True)
    tune.step()
for step in range(2):
    optimizer.zero_grad()
    x = torch.randn(4, 8, requires_grad=True)
    loss = other(x).square().mean()
    (slope,) = torch.autograd.grad(loss, x, create_graph=True)
    slope.square().mean().backward(retain_graph=True)
    optimizer.step()
