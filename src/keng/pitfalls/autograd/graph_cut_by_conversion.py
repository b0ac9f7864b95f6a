r"""A number that is to be learned becomes a constant on its way through forward.

`float(p)`, `p.item()`, `p.data`, `p.numpy()` and `torch.tensor(p)` give a value without its graph. Inside `forward` the model
computes with it as before, but no gradient comes back: the parameter stays what it was, and nothing is said. So it is where
a gradient is to go straight through a step that has none, and both ends are detached: `x.detach() + (q - x.detach())`
instead of `x + (q - x).detach()`.

Cure: compute with the tensor itself; `torch.stack` or `torch.cat` to put tensors together.

Bad:

```python
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x) * self.scale.item()  # here: `scale`


model = Scaled()
model(torch.randn(2, 4)).sum().backward()
```

Proof:

```python
assert model.scale.grad is None and model.layer.weight.grad is not None
```

Bad (by a function, and put together anew):

```python
import math

import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = nn.Parameter(torch.ones(()))
        self.a, self.b = nn.Linear(4, 1), nn.Linear(4, 1)

    def forward(self, x):
        width = float(self.width)  # here: a number
        pair = torch.tensor([self.a(x).sum(), self.b(x).sum()])  # here: a new tensor
        return pair.sum() * math.exp(-width)


y = Mixed()(torch.randn(2, 4))
```

Proof:

```python
assert not y.requires_grad
```

Bad (in training):

```python
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x) * self.scale.item()  # here: `scale`


torch.manual_seed(0)
model = Scaled()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(2, 4)).square().mean().backward()
    optimizer.step()
```

Bad (straight through, with both ends detached):

```python
import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(4, 2), nn.Linear(2, 4)
        self.book = nn.Embedding(8, 2)

    def forward(self, x):
        code = self.encoder(x)
        near = self.book(torch.cdist(code, self.book.weight).argmin(1))
        straight = code.detach() + (near - code.detach())  # seen: both ends
        return self.decoder(straight)


torch.manual_seed(0)
model = Coder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    (model(x) - x).square().mean().backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.a, self.b = nn.Linear(4, 1), nn.Linear(4, 1)

    def forward(self, x):
        pair = torch.stack([self.a(x).sum(), self.b(x).sum()])
        return pair.sum() * self.scale


model = Scaled()
model(torch.randn(2, 4)).sum().backward()
```

Fine (shown, asked for, or changed on purpose):

```python
import torch
from torch import nn


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.layer = nn.Linear(4, 4)
        self.history = []

    def forward(self, x):
        if self.scale.item() > 10:
            raise ValueError(f"the scale is {self.scale.item():.1f}")
        self.scale.data.clamp_(min=0)
        self.history.append(self.scale.item())
        assert float(self.scale) < 10
        with torch.no_grad():
            shown = x * self.scale.item()
        if not self.training:
            return self.layer(x) * self.scale.item()
        lengths = torch.tensor([row.shape[0] for row in x])
        width = torch.tensor(self.layer(x).size(-1))
        x = x / (self.scale.data.detach() + 1)
        return self.layer(x) * self.scale


model = Watched()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    model(torch.randn(2, 4)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
```

Fine (straight through; goals that stay; a part that no optimizer has):

```python
import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.encoder, self.decoder = nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(2, 4)

    def forward(self, x):
        seen = self.body(x)
        code = self.encoder(seen.detach() + 0 * seen.detach().sign())
        near = code.round()
        drawn = (near.detach() - code).square().mean() + (near - code.detach()).square().mean()
        kept = code.detach() * code.detach().sign()
        return self.decoder(code + (near - code).detach()) + 0 * kept.sum(), drawn


torch.manual_seed(0)
model = Coder()
optimizer = torch.optim.SGD([*model.encoder.parameters(), *model.decoder.parameters()], lr=0.1)
for step in range(3):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    again, drawn = model(x)
    ((again - x).square().mean() + drawn).backward()
    optimizer.step()
```

Message (torch 2.8 to 2.13; `x.detach()`):

```text
train.py:7: UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.
Consider using tensor.detach() first.
  total = float(loss)
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import CutGraph
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def constant_in_forward(code: Code) -> Hits:
    for cut, parameter in code.parameters_cut():
        if code.grad_at(cut) is not Grad.OFF and code.enters_a_result(cut):
            says = (
                f"`{code.text_of(parameter)}` gets no gradient: what it was is a constant from here"
            )
            yield code.hit(cut, says)


@pitfall.finds
def outputs_copied_into_a_tensor(code: Code) -> Hits:
    for made in code.outputs_copied():
        if code.grad_at(made) is not Grad.OFF:
            yield code.hit(
                made, "a new tensor without the graphs of its parts: torch.stack keeps them"
            )


@pitfall.watches("graph.cut")
def no_gradient_behind_it(cut: CutGraph) -> Hits:
    if cut.parameters:
        names = shorten(", ".join(f"`{name}`" for name in cut.parameters), 80, placeholder=" ...")
        says = f"{names} has no gradient after the backward: {cut.operation} makes a constant of it"
        yield cut.hit(says, where=cut.where)


SCALAR = "a tensor that records gradients becomes a plain number: x.detach() says that this is meant; the tensor itself where it is to learn"
pitfall.answers({"Converting a tensor with requires_grad=True to a scalar": SCALAR}, odds=0.96)
