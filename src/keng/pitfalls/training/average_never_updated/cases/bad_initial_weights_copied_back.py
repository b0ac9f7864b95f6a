# nothing updates the shadow, which replaces the weights after each epoch
import torch
from torch import nn

torch.manual_seed(0)


class Shadow:
    def __init__(self, model):
        self.model = model
        self.kept = {name: p.detach().clone() for name, p in model.named_parameters()}

    @torch.no_grad()
    def move(self):
        for name, p in self.model.named_parameters():
            self.kept[name].lerp_(p, 0.1)

    @torch.no_grad()
    def apply(self):
        for name, p in self.model.named_parameters():
            p.copy_(self.kept[name])  # run: from before its first step


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
shadow = Shadow(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first = model[0].weight.detach().clone()
for epoch in range(5):
    for x in torch.randn(40, 4).split(8):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    shadow.apply()
# proof
assert model[0].weight.equal(first)
