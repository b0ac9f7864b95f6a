r"""Gradients are switched by an attribute that nobody reads.

A tensor takes any attribute: `p.require_grad = False` makes a new one that nobody reads, and `requires_grad`, with
an s, stays as it was. `p.requires_grad_ = False` overwrites a method. A module has parameters and no `requires_grad`
of its own: `model.fc.requires_grad = False` sets one that nothing asks for. The layer that was to be frozen trains
on, or the tensor that was to learn does not.

Cure: `requires_grad` of a parameter, or the method `requires_grad_(False)` of a parameter or a module, which cannot
be mistyped in silence.

Bad:

```python
from torch import nn

model = nn.Linear(4, 2)
for p in model.parameters():
    p.require_grad = False  # here: with an s
```

Proof:

```python
assert model.weight.requires_grad
```

Bad (set by a function that is given the parameters):

```python
import torch
from torch import nn


def switch(thing, on):
    thing.require_grad = on  # here: with an s


model = nn.Linear(4, 2)
switch(model.weight, False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 4)).square().mean().backward()
optimizer.step()
```

Proof:

```python
assert model.weight.requires_grad
```

Bad (letters that changed places):

```python
from torch import nn

model = nn.Linear(4, 2)
model.weight.requires_gard = False  # here: no such thing
```

Proof:

```python
assert model.weight.requires_grad
```

Bad (a method that is assigned to):

```python
from torch import nn

model = nn.Linear(4, 2)
for p in model.parameters():
    p.requires_grad_ = False  # here: it is to be called
```

Proof:

```python
assert model.weight.requires_grad
```

Bad (on a module):

```python
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
model[0].requires_grad = False  # here: its parameters are not asked
```

Proof:

```python
assert model[0].weight.requires_grad
```

Good:

```python
from torch import nn

model = nn.Linear(4, 2)
for p in model.parameters():
    p.requires_grad = False
model.requires_grad_(False)
```

Fine (a setting of one's own, which is read):

```python
import torch


class Settings:
    def __init__(self):
        self.require_grad = True


settings = Settings()
x = torch.ones(3, requires_grad=settings.require_grad)
```

Fine (a module that has the switch, and a parameter of one):

```python
from torch import nn


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Linear(4, 2)

    @property
    def requires_grad(self):
        return self.down.weight.requires_grad

    @requires_grad.setter
    def requires_grad(self, on):
        self.down.requires_grad_(on)


adapter = Adapter()
adapter.requires_grad = False
adapter.down.bias.requires_grad = True
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import StrayAttribute
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

TYPOS = (
    *("require_grad", "required_grad", "requires_grads", "require_grads", "requiers_grad"),
    *(
        "requires_gard",
        "require_gard",
        "requires_gradient",
        "require_gradient",
        "requires_gradients",
    ),
    *(
        "reqires_grad",
        "requries_grad",
        "requirs_grad",
        "requres_grad",
        "reuires_grad",
        "requiresgrad",
    ),
    *("requires_gra", "requires_garad", "requires_Grad", "requires_grade", "require_grad_"),
)


@pitfall.finds(fixes=True)
def attribute_that_nobody_reads(code: Code) -> Hits:
    for target in code.attributes_only_set(*TYPOS):
        name = code.text_of(target.value)
        fix = Fix("Write requires_grad", (code.rename_attribute(target, "requires_grad"),))
        says = f"`{target.attr}` is a new attribute of `{name}`; it is `requires_grad` that counts"
        yield code.hit(target, says, fix=fix)


@pitfall.finds(fixes=True)
def method_that_is_overwritten(code: Code) -> Hits:
    for target in code.overwritten("requires_grad_"):
        name = code.text_of(target.value)
        fix = Fix("Write requires_grad", (code.rename_attribute(target, "requires_grad"),))
        yield code.hit(target, f"`requires_grad_` is a method, which `{name}` loses by this", fix)


@pitfall.finds(fixes=True)
def switch_that_a_module_lacks(code: Code) -> Hits:
    for target, value in code.switches_on_modules():
        name, to = code.text_of(target.value), code.text_of(value)
        edit = code.replace(code.statement(target), f"{name}.requires_grad_({to})")
        says = (
            f"`{name}` is a module, which has no `requires_grad`: its parameters stay as they are"
        )
        yield code.hit(target, says, fix=Fix("Call requires_grad_", (edit,)))


@pitfall.watches("attribute.stray")
def set_and_read_by_nobody(seen: StrayAttribute) -> Hits:
    if seen.kind == "parameter" and seen.attribute in TYPOS:
        says = f"`{seen.attribute}` is a new attribute of `{seen.thing}`"
        yield seen.hit(f"{says}; it is `requires_grad` that counts")
