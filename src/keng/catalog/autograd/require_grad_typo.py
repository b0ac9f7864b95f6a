r"""A tensor is given an attribute whose name is mistyped.

A tensor takes any attribute: `p.require_grad = False` makes a new one that nobody reads, and `requires_grad`, with
an s, stays as it was. The layer that was to be frozen trains on, or the tensor that was to learn does not.

Cure: `requires_grad`, or the method `requires_grad_(False)`, which cannot be mistyped in silence.

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
"""

from keng.model import Fix, Hits, Pitfall
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
