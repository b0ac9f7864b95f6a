r"""The parameters or the layers of a model are taken for a list.

`model.parameters()`, `children()` and `modules()` give one thing after the other and no list: they cannot be added, counted or indexed, and are
used up once they were gone through. A layer or a model of one's own has no places either, and nothing can be appended to it; `nn.Sequential` and `nn.ModuleList` have.

Cure: `list(a.parameters()) + list(b.parameters())`, `list(model.children())[0]`, `sum(p.numel() for p in model.parameters())`; the layer by
its name, `model.fc`.

Bad (the parameters of two models):

```python
from torch import nn
from torch.optim import SGD

encoder, head = nn.Linear(2, 2), nn.Linear(2, 1)
optimizer = SGD(encoder.parameters() + head.parameters(), lr=0.1)  # seen: list(...)
```

Bad (a list and what is none):

```python
from torch import nn

encoder, head = nn.Linear(2, 2), nn.Linear(2, 1)
learned = list(encoder.parameters()) + head.parameters()  # seen: list(...)
```

Bad (the first layer):

```python
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
first = model.children()[0]  # seen: `children()`
```

Bad (how many there are):

```python
from torch import nn

count = len(nn.Linear(2, 2).parameters())  # seen: `parameters()`
```

Bad (a place of a layer):

```python
from torch import nn

weight = nn.Linear(2, 2)[0]  # seen: a Linear
```

Bad (what each of them has):

```python
from torch import nn

grads = nn.Linear(2, 2).parameters().grad  # seen: `parameters()`
```

Bad (a layer that is to become several):

```python
from torch import nn

layers = nn.Linear(2, 2)
for _ in range(2):
    layers.append(nn.Linear(2, 2))  # seen: nn.ModuleList([...])
```

Good:

```python
from torch import nn
from torch.optim import SGD

encoder, head = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 1))
optimizer = SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
first = list(head.children())[0]
count = sum(p.numel() for p in head.parameters())
weight = head[0].weight
```

Message (torch 1.0 to 2.13, Python before 3.7; a Net):

```text
TypeError: 'Net' object does not support indexing
```

Message (torch 1.0 to 2.13; `.module[0]`):

```text
TypeError: 'DataParallel' object is not subscriptable
```

Message (torch 1.0 to 2.13, of a model unpacked into two; `.children()`):

```text
TypeError: 'DenseNet' object is not iterable
```

Message (torch 1.0 to 2.13, a class of one's own; `append`):

```text
---> 20         cells.append(
     21             Cell(inner, hidden)
     22         )

~/anaconda3/lib/python3.7/site-packages/torch/nn/modules/module.py in __getattr__(self, name)
    534         raise AttributeError("'{}' object has no attribute '{}'".format(
--> 535             type(self).__name__, name))

AttributeError: 'Cell' object has no attribute 'append'
```

Message (torch 1.0 to 2.13; a ResNet):

```text
TypeError: object of type 'ResNet' has no len()
```

Message (torch 1.0 to 2.13, without its traceback; a generator):

```text
AttributeError: 'generator' object has no attribute 'grad'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import MODULES

pitfall = Pitfall(__name__, __doc__, severity="error")

ASKED = re.compile(r"\.(?P<name>(?:named_)?(?:parameters|children|modules|buffers))\(")
OF_A_PARAMETER = re.compile(
    r"'generator' object has no attribute '(?:grad|requires_grad_?|numel|norm|cuda)'"
)
MODEL_LIKE = re.compile(r"(?:Net|CNN|VGG|DataParallel)$")
OF_LISTS = r"append|extend|insert|pop"
NUMBERED = {"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"}


@pitfall.explains(
    r"unsupported operand type\(s\) for \+: 'generator' and '(?:generator|list)'",
    r"can only concatenate list \(not \"generator\"\) to list",
    r"'generator' object (?:is not subscriptable|does not support indexing)",
    r"object of type 'generator' has no len\(\)",
    r"'generator' object has no attribute '\w+'",
    odds=0.95,
)
def one_after_the_other(failure: Failure) -> Hits:
    if asked := ASKED.search(failure.line or failure.around):
        yield failure.hit(
            f"`{asked['name']}()` gives one after the other and no list: list(...) around it"
        )
    elif OF_A_PARAMETER.search(failure.message):
        yield failure.hit(
            "a generator, as parameters() gives it, is no tensor: a loop over it, or list(...) around it",
            sure=False,
        )


@pitfall.explains(
    r"'(?P<kind>[A-Z]\w+)' object (?:is not (?:subscriptable|iterable)|does not support indexing)",
    r"object of type '(?P<kind>[A-Z]\w+)' has no len\(\)",
    odds=0.92,
)
def no_places(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    ours = kind in MODULES - NUMBERED or MODEL_LIKE.search(kind)
    if ours and not failure.passed_through("optimizer.py", "clip_grad.py"):
        inside = ", of what it wraps `.module[0]`" if kind.endswith("Parallel") else ""
        parts = "its parts by their names"
        if "iterable" in failure.message:
            parts = "[layer] where a list of layers is wanted, .children() to go through its parts"
        yield failure.hit(f"a {kind} is a module and no list: {parts}{inside}")


@pitfall.explains(
    rf"'(?P<kind>[A-Z]\w+)' object has no attribute '(?P<asked>{OF_LISTS})'", odds=0.93
)
def nothing_to_append_to(failure: Failure) -> Hits:
    kind, asked = failure.groups["kind"], failure.groups["asked"]
    ours = kind in MODULES - NUMBERED or failure.raised_in.endswith("torch/nn/modules/module.py")
    if ours and kind not in NUMBERED:
        yield failure.hit(
            f"`{asked}` is a list's, and {kind} is one module: nn.ModuleList([...]) of it first, or nn.Sequential(...)"
        )
