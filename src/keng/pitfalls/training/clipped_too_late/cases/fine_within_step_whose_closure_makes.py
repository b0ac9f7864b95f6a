# inside a step whose closure does not recompute gradients
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def closure(learns):
    loss = model(torch.randn(8, 4)).square().mean()
    if learns:
        optimizer.zero_grad()
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    return loss


for step in range(4):
    optimizer.step(lambda: closure(step < 3))
