# left off by a function, in a loop that goes back only where it can
import torch
from torch import nn


def predicted(model, x):
    torch.set_grad_enabled(False)  # run: nothing is learned after it
    return model(x)


model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for step in range(2):
        optimizer.zero_grad()
        loss = model(torch.randn(16, 8)).square().mean()
        if loss.requires_grad:
            loss.backward()
        optimizer.step()
    before = predicted(model, torch.randn(4, 8))

# proof
assert not torch.is_grad_enabled()
