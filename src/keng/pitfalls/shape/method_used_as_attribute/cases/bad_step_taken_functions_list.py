# a step that is not taken, and functions in a list
import torch
from torch import nn

model, losses = nn.Linear(4, 1), []
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
was = model.weight.detach().clone()
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward()
    optimizer.step  # check: `optimizer.step`
    losses.append(loss.item)  # check: `loss.item`

# proof
assert torch.equal(model.weight, was) and callable(losses[0])
