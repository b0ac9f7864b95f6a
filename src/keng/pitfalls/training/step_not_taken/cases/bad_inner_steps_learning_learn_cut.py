# the inner steps of learning to learn are cut from what learns
import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Linear(4, 1)
outer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
before = model.weight.detach().clone()
for step in range(4):
    weights = dict(model.named_parameters())
    loss = (functional_call(model, weights, (x[:8],)) - y[:8]).square().mean()
    slopes = torch.autograd.grad(loss, list(weights.values()))
    adapted = {
        name: (value - 0.1 * slope).detach().requires_grad_()
        for (name, value), slope in zip(weights.items(), slopes)
    }
    outer.zero_grad()
    (functional_call(model, adapted, (x[8:],)) - y[8:]).square().mean().backward()
    outer.step()  # run: no backward has reached its parameters

# proof
assert torch.equal(model.weight, before)
