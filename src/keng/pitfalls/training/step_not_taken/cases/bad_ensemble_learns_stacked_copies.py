# an ensemble learns stacked copies
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
members = [nn.Linear(4, 1) for _ in range(3)]
weights, _ = stack_module_state(members)
optimizer = torch.optim.SGD([p for member in members for p in member.parameters()], lr=0.1)
before = members[0].weight.detach().clone()
x = torch.randn(8, 4)
for step in range(4):
    optimizer.zero_grad()
    out = vmap(lambda own: functional_call(members[0], own, (x,)))(weights)
    out.square().mean().backward()
    optimizer.step()  # run: no backward has reached its parameters

# proof
assert torch.equal(members[0].weight, before)
