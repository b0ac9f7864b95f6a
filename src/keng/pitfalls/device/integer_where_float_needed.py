r"""Whole numbers come where only floating-point numbers can be.

Gradients, means and norms exist for floating-point numbers only. A tensor made of Python ints, of
labels, of image bytes or of `torch.arange` is whole.

Cure: `x.float()`, or make it so: `torch.tensor([1.0, 2.0])`, `dtype=torch.float32`.

Bad (a mean):

```python
import torch

counts = torch.tensor([1, 2, 3])
average = counts.mean()  # seen: `counts.float().mean()`
```

Bad (a gradient):

```python
import torch

start = torch.tensor([1, 2, 3], requires_grad=True)  # seen: whole numbers have no gradient
```

Bad (a parameter):

```python
import torch
from torch import nn

table = nn.Parameter(torch.arange(3))  # seen: whole numbers have no gradient
```

Bad (a module; `cannot be int64`):

```python
import torch
from torch import nn

net = nn.Linear(2, 2).to(torch.long)  # seen: weights are floats
```

Good:

```python
import torch
from torch import nn

counts = torch.tensor([1, 2, 3])
average = counts.float().mean()
start = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
table = nn.Parameter(torch.arange(3.0))
```

Message (torch 1.8):

```text
RuntimeError: Can only calculate the mean of floating types. Got Long instead.
```

Message (torchvision; `uint8`):

```text
TypeError: Input tensor should be a float tensor. Got torch.uint8.
```

Message (torch 2.0 to 2.13, a model in 8 bits; `packed weights`):

```text
model = AutoModelForCausalLM.from_pretrained(name, load_in_8bit=True)
for p in model.parameters():
    p.requires_grad = True

RuntimeError: only Tensors of floating point dtype can require gradients
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

PACKED = re.compile(
    r"\b(?:8|4)-?bits?\b|load_in_[48]bit|bitsandbytes|\bInt8Params\b|quantiz", re.IGNORECASE
)


@pitfall.explains(
    r"\b(?P<what>\w{2,40})\(\): could not infer output dtype\. Input dtype must be either a floating point or complex "
    r"dtype\. Got: (?P<came>\w+)",
    r"Can only calculate the (?P<what>mean) of floating types\. Got (?P<came>\w+) instead",
    odds=0.95,
)
def mean_of_whole_numbers(failure: Failure) -> Hits:
    there, groups = failure.live.operands, failure.groups
    name = there[0].name if len(there) == 1 else "x"
    yield failure.hit(
        f"{groups['what']}() of {groups['came'].lower()} numbers: {name}.float().{groups['what']}()"
    )


@pitfall.explains(
    r"[Oo]nly Tensors of floating point (?:and complex )?dtype can require gradients", odds=0.95
)
def gradient_of_whole_numbers(failure: Failure) -> Hits:
    says = "whole numbers have no gradient: make the tensor of floats, or x.float() first"
    if any(map(PACKED.search, (failure.told, failure.message, failure.line, failure.around))):
        says = "packed weights of 8 or 4 bits are whole numbers, which have no gradient: an adapter beside them (LoRA), and requires_grad of floats alone"
    yield failure.hit(says)


@pitfall.explains(
    r"nn\.Module\.to only accepts floating point or complex dtypes, but got desired dtype=torch\.(?P<came>\w+)",
    odds=0.95,
)
def module_of_whole_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        f"a module cannot be {failure.groups['came']}: its weights are floats; convert the input alone"
    )


@pitfall.explains(r"Input tensor should be a float tensor\. Got torch\.(?P<came>\w+)", odds=0.95)
def image_of_whole_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        f"Normalize gets {failure.groups['came']}: ToTensor() before it, or ToDtype(torch.float32, scale=True)"
    )
