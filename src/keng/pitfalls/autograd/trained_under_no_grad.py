r"""Layers that an optimizer holds run under `no_grad`, and stay as they were drawn.

`torch.no_grad()` around a part of a forward, most often copied from code that uses a pretrained encoder, keeps that part from
getting gradients. Its parameters say `requires_grad=True` and stand in the optimizer, which passes over what has no gradient:
the layers behind learn to make do with a random projection, the loss falls, and nothing is said.

Cure: take the `no_grad` away where the part is to learn. Where it is to stay as it is, say so: load its weights, put it in
`eval()`, set `requires_grad_(False)`, and give the optimizer the rest.

Bad:

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        with torch.no_grad():  # seen: `model.encoder` never learns
            features = self.encoder(x)
        return self.head(features.relu())


torch.manual_seed(0)
model = Model()
before = model.encoder[0].weight.clone()
optimizer = torch.optim.Adam(model.parameters())
for step in range(8):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(16, 4)), torch.randint(3, (16,))).backward()
    optimizer.step()
```

Proof:

```python
assert torch.equal(model.encoder[0].weight, before)
```

Bad (two modules, in a loop):

```python
import torch
from torch import nn

torch.manual_seed(0)
encoder, head = nn.Linear(4, 16), nn.Linear(16, 3)
before = encoder.weight.clone()
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for step in range(8):
    x, y = torch.randn(16, 4), torch.randint(3, (16,))
    with torch.no_grad():  # seen: `encoder` never learns
        features = encoder(x)
    loss = nn.functional.cross_entropy(head(features), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert torch.equal(encoder.weight, before)
```

Bad (a method that is decorated):

```python
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv1d(4, 8, 3, padding=1)
        self.classify = nn.Linear(8, 2)

    @torch.no_grad()  # seen: `tagger.convolution` never learns
    def features(self, x):
        return self.convolution(x).relu().transpose(1, 2)

    def forward(self, x):
        return self.classify(self.features(x))


torch.manual_seed(0)
tagger = Tagger()
optimizer = torch.optim.AdamW(tagger.parameters())
for step in range(8):
    out = tagger(torch.randn(2, 4, 10))
    optimizer.zero_grad()
    nn.functional.cross_entropy(out.flatten(0, 1), torch.randint(2, (20,))).backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.encoder(x))


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam(model.parameters())
for step in range(8):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(16, 4)), torch.randint(3, (16,))).backward()
    optimizer.step()
```

Fine (an encoder that was loaded; one in eval mode; one that no optimizer has; a fixed measure; one frozen for a while; one that also runs with gradients):

```python
import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder, self.head = encoder, nn.Linear(8, 3)
        self.learns = False

    def forward(self, x):
        with torch.no_grad():
            features = self.encoder(x)
        return self.head(features)


class Later(Probe):
    def forward(self, x):
        if self.learns:
            return self.head(self.encoder(x))
        with torch.no_grad():
            features = self.encoder(x)
        return self.head(features)


class Recycled(Probe):
    def forward(self, x):
        with torch.no_grad():
            first = self.encoder(x)
        return self.head(self.encoder(x) + first)


class Curious(nn.Module):
    def __init__(self):
        super().__init__()
        self.measure, self.guess = nn.Linear(4, 8), nn.Linear(4, 8)

    def forward(self, x):
        with torch.no_grad():
            goal = self.measure(x)
        return (self.guess(x) - goal).square()


def train(model, parameters):
    optimizer = torch.optim.Adam(parameters)
    for step in range(8):
        optimizer.zero_grad()
        model(torch.randn(16, 4)).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
pretrained, encoder = nn.Linear(4, 8), nn.Linear(4, 8)
encoder.load_state_dict(pretrained.state_dict())
loaded = Probe(encoder)
train(loaded, loaded.parameters())
still = Probe(nn.Linear(4, 8))
still.encoder.eval()
train(still, still.parameters())
random = Probe(nn.Linear(4, 8))
train(random, random.head.parameters())
for other in (Later(nn.Linear(4, 8)), Recycled(nn.Linear(4, 8)), Curious()):
    train(other, other.parameters())
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import ShadedParameters

pitfall = Pitfall(__name__, __doc__, severity="warning")

SHOWN = 3


@pitfall.watches("parameters.shaded")
def drawn_and_never_learned(seen: ShadedParameters) -> Hits:
    names = ", ".join(f"`{name}`" for name in seen.parameters[:SHOWN])
    more = f" and {seen.count - SHOWN} more" if seen.count > SHOWN else ""
    says = f"{names}{more}, held by `{seen.optimizer}`, never learns"
    yield seen.hit(f"{says}: it runs under `no_grad` here", parameters=seen.count)
