# the closure of the step clips, clears and computes gradients, in this order
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
norms = []


def closure():
    loss = (model(torch.randn(8, 5)) - 4 * torch.randn(8, 2)).square().mean()
    nn.utils.clip_grad_norm_(list(model.parameters()), 0.05)  # run: before there are any
    optimizer.zero_grad()
    loss.backward()
    norms.append(sum(p.grad.square().sum() for p in model.parameters()).sqrt().item())
    return loss


for step in range(6):
    optimizer.step(closure)
# proof
assert min(norms) > 0.05
