# the weights that an average has replaced do not come back
import torch
from torch import nn


class Average:
    def __init__(self, parameters):
        self.kept = [p.detach().clone() for p in parameters]

    def step(self, parameters):
        for kept, p in zip(self.kept, parameters):
            kept.lerp_(p.detach(), 0.1)

    def store(self, parameters):
        self.stored = [p.detach().clone() for p in parameters]

    def copy_to(self, parameters):
        for kept, p in zip(self.kept, parameters):
            p.data.copy_(kept)

    def restore(self, parameters):
        for stored, p in zip(self.stored, parameters):
            p.data.copy_(stored)


model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = Average(model.parameters())
for _ in range(2):
    optimizer.zero_grad()
    model(torch.ones(4, 2)).square().mean().backward()
    optimizer.step()
    average.step(model.parameters())
    average.store(model.parameters())  # check: `average` puts its average in place of the weights
    average.copy_to(model.parameters())
    with torch.no_grad():
        print(model(torch.ones(1, 2)).item())

# proof
assert torch.equal(model.weight, average.kept[0])
