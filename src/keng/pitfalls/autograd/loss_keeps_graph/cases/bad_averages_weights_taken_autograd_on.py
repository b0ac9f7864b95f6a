# averages of the weights, taken with autograd on
import torch
from torch import nn


class Shadow:
    def __init__(self, model):
        self.values = {name: p.detach().clone() for name, p in model.named_parameters()}

    def update(self, model):
        for name, p in model.named_parameters():
            self.values[name] = 0.9 * self.values[name] + 0.1 * p  # run: `shadow.values`


torch.manual_seed(0)
model = nn.Linear(4, 1)
shadow = Shadow(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(80):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    shadow.update(model)

# proof
depth, node = 0, shadow.values["weight"].grad_fn
while node is not None:
    depth, node = depth + 1, node.next_functions[0][0]
assert depth > 80
