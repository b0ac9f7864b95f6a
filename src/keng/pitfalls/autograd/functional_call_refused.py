r"""`functional_call` gets other parameters than the module has.

It puts the given tensors in the place of a module's own for one call: a dict of the names of `named_parameters()` and
tensors. What is missing is taken from the module, unless `strict=True`. Two names of one shared weight cannot get two values, and the modules that
`torch.jit` and `nn.DataParallel` make keep their parameters where nothing can be exchanged.

Cure: `dict(model.named_parameters())`, with buffers `{**params, **buffers}`; one of the names of a shared weight; the plain module, `model.module`.

Bad (a name too few):

```python
import torch
from torch import nn
from torch.func import functional_call

weights = {"weight": torch.ones(2, 2)}
y = functional_call(nn.Linear(2, 2), weights, torch.ones(1, 2), strict=True)  # seen: `bias`
```

Bad (one weight, two values):

```python
import torch
from torch import nn
from torch.func import functional_call

layer = nn.Linear(2, 2)
model = nn.Sequential(layer, layer)
weights = {"0.weight": torch.ones(2, 2), "1.weight": torch.zeros(2, 2)}
y = functional_call(model, weights, torch.ones(1, 2))  # seen: `0.weight`
```

Bad (twice the same name):

```python
import torch
from torch import nn
from torch.func import functional_call

weights = {"weight": torch.ones(2, 2)}
y = functional_call(nn.Linear(2, 2), (weights, weights), torch.ones(1, 2))  # seen: `weight`
```

Bad (a replica for each card):

```python
import torch
from torch import nn
from torch.func import functional_call

model = nn.DataParallel(nn.Linear(2, 2))
y = functional_call(model, dict(model.named_parameters()), torch.ones(1, 2))  # seen: `model.module`
```

Bad (a number for a tensor):

```python
import torch
from torch import nn
from torch.func import functional_call

y = functional_call(nn.Linear(2, 2), {"weight": 3}, torch.ones(1, 2))  # seen: `3`
```

Good:

```python
import torch
from torch import nn
from torch.func import functional_call

model = nn.Linear(2, 2)
weights = dict(model.named_parameters())
y = functional_call(model, weights, torch.ones(1, 2), strict=True)
```

Message (torch 2.13; `torch.jit`):

```text
RuntimeError: The stateless API can't be used with Jitted modules
```

Message (torch 2.13; `running_mean`):

```text
RuntimeError: Error(s) in reparametrizing for Net:
        Unexpected key(s): 'scale'.
        Missing key(s): 'norm.running_mean', 'norm.running_var'.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Error\(s\) in reparametrizing for (?P<module>\w+):\s{1,3}"
    r"(?:Unexpected key\(s\): (?P<over>'[^\n]{1,200}?')\.)?\s{0,3}(?:Missing key\(s\): (?P<lacks>'[^\n]{1,200}?')\.)?",
    odds=0.97,
)
def other_names(failure: Failure) -> Hits:
    over, lacks = failure.groups.get("over"), failure.groups.get("lacks")
    apart = [f"has no {over}"] if over else []
    apart += [f"wants {lacks} too"] if lacks else []
    yield failure.hit(
        f"a {failure.groups['module']} {' and '.join(apart)}: dict(model.named_parameters()) and named_buffers(), or strict=False"
    )


@pitfall.explains(
    r"functional_call got multiple values for keys \[(?P<names>[^\]]{1,200})\], which are tied",
    odds=0.97,
)
def one_weight_two_values(failure: Failure) -> Hits:
    yield failure.hit(
        f"one shared weight has the names {failure.groups['names']} and gets several values: give one of them, or tie_weights=False"
    )


@pitfall.explains(
    r"\[(?P<names>[^\]]{1,200})\] appeared in multiple dictionaries; behavior of functional call",
    odds=0.97,
)
def in_two_dicts(failure: Failure) -> Hits:
    yield failure.hit(f"more than one of the dicts has {failure.groups['names']}: each name in one")


@pitfall.explains(r"(?P<came>\S{1,60}) is not an instance of torch\.Tensor$", odds=0.95)
def no_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/utils/stateless.py"):
        yield failure.hit(
            f"what stands under a name is a tensor, and here it is {failure.groups['came']}"
        )


pitfall.answers(
    {
        "The stateless API can't be used with Jitted": "what torch.jit has made keeps its parameters to itself: the plain module",
        "The stateless API can't be used with nn.DataParallel": "a DataParallel makes its own copies for the cards: model.module, and its names",
    },
    odds=0.97,
)
