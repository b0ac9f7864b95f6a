r"""The new output layer is frozen together with the backbone.

To fine-tune a pretrained model one freezes it and puts a new output layer in. In the other order, or with a filter on names that
takes too much, the new layer is frozen too, with the random weights that it was made with: what is left to
learn (batch norms, biases) must make do with a random projection.

Cure: freeze first, then replace the layer; print what `requires_grad` says.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
backbone.load_state_dict({name: value.clone() for name, value in backbone.state_dict().items()})
model = nn.Sequential(backbone, nn.Linear(8, 3))
for name, parameter in model.named_parameters():
    if parameter.dim() > 1 or name == "1.bias":
        parameter.requires_grad = False
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
for step in range(6):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(16, 4)), torch.randint(3, (16,))).backward()
    optimizer.step()  # seen: `1` stays as it was drawn
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
backbone.load_state_dict({name: value.clone() for name, value in backbone.state_dict().items()})
for parameter in backbone.parameters():
    if parameter.dim() > 1:
        parameter.requires_grad = False
model = nn.Sequential(backbone, nn.Linear(8, 3))
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
for step in range(6):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(16, 4)), torch.randint(3, (16,))).backward()
    optimizer.step()
```

Fine (a head that was loaded; low-rank matrices beside frozen ones; random features under a head that learns; a critic that has learned; a frozen network to measure by):

```python
import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer, self.down = (
            layer.requires_grad_(False),
            nn.Linear(layer.in_features, 2, bias=False),
        )
        self.up = nn.Linear(2, layer.out_features, bias=False)

    def forward(self, x):
        return self.layer(x) + self.up(self.down(x))


def train(model, loss, optimizer):
    for step in range(6):
        optimizer.zero_grad()
        loss(model(torch.randn(16, 4))).backward()
        optimizer.step()


torch.manual_seed(0)
pretrained = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model.load_state_dict(pretrained.state_dict())
model[2].requires_grad_(False)
train(model, lambda out: out.square().mean(), torch.optim.Adam(model[0].parameters()))
model = nn.Sequential(LowRank(model[0]), nn.ReLU(), LowRank(model[2]))
train(model, lambda out: out.square().mean(), torch.optim.Adam(model.parameters()))
model = nn.Sequential(nn.Linear(4, 32).requires_grad_(False), nn.ReLU(), nn.Linear(32, 1))
train(model, lambda out: out.square().mean(), torch.optim.SGD(model[2].parameters(), lr=0.1))
critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
train(critic, lambda out: out.square().mean(), torch.optim.Adam(critic.parameters()))
critic.requires_grad_(False)
generator = nn.Linear(4, 4)
train(nn.Sequential(generator, critic), torch.mean, torch.optim.Adam(generator.parameters()))
measure = nn.Linear(4, 4).requires_grad_(False)
train(generator, lambda out: measure(out).square().mean(), torch.optim.Adam(generator.parameters()))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import FrozenOutput

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("output.frozen")
def random_and_frozen(seen: FrozenOutput) -> Hits:
    says = f"`{seen.layer}`, the output layer of `{seen.module}`, is frozen"
    yield seen.hit(f"{says} with the random weights that it was made with", layer=seen.layer)
