r"""A tensor of several values is used where one is wanted.

`if`, `and`, `while` and comparisons in them want one truth value, `float()`, `int()` and `.item()` one
number. A comparison of tensors gives a truth value for each element. A tensor inside a list that is
given to `torch.tensor` must be one number too.

Cure: say which is meant: `.all()` or `.any()` for a condition, `.mean()` or an index for a number,
`.tolist()` for all of them, `torch.stack` for a list of tensors.

Bad:

```python
import torch

x = torch.tensor([0.5, -1.0])
if x > 0:  # seen: two truth values
    print("positive")
```

Bad (a number):

```python
import torch

losses = torch.ones(4)
total = losses.item()  # seen: `4 values`
```

Bad (a list of tensors):

```python
import torch

parts = [torch.ones(2), torch.ones(2)]
whole = torch.tensor(parts)  # seen: torch.stack
```

Bad (a list of whole tensors):

```python
import torch

hits = [torch.tensor([0, 1]), torch.tensor([1, 1])]
whole = torch.tensor(hits)  # seen: `torch.stack joins a list of them`
```

Bad (a loss that is made of tensors):

```python
import torch
from torch import nn

prediction, target = torch.ones(4), torch.zeros(4)
loss = nn.MSELoss(prediction, target)  # seen: `nn.MSELoss()(input, target)`
```

Bad (a text of a number):

```python
import torch

losses = torch.ones(4)
line = f"{losses:.3f}"  # seen: `.item()`
```

Bad (a layer made of a tensor):

```python
import torch
from torch import nn

y = nn.Dropout(torch.ones(2))  # seen: `nn.Dropout(0.5)(x)`
```

Bad (rounded by Python):

```python
import torch

loss = torch.tensor(0.4567)
shown = round(loss, 2)  # seen: `round(x.item(), 2)`
```

Bad (an empty one):

```python
import torch

best = torch.ones(3)[torch.ones(3) > 2].item()  # seen: empty
```

Bad (a condition of an empty one):

```python
import torch

found = torch.ones(3)[torch.ones(3) > 2]
if found:  # seen: `x.numel() > 0`
    print(found)
```

Bad (what may be missing):

```python
import torch

mask = torch.ones(3)
if mask:  # seen: `is not None`
    print(mask)
```

Bad (two masks):

```python
import torch

x = torch.tensor([0.5, -1.0])
inside = x > 0 and x < 1  # seen: & and | join masks
```

Bad (a list that is searched):

```python
import torch

seen, x = [torch.ones(2)], torch.zeros(2)
if x in seen:  # seen: `any(x is each`
    print(x)
```

Bad (the larger of two):

```python
import torch

a, b = torch.ones(2), torch.zeros(2)
best = max(a, b)  # seen: `torch.maximum(a, b)`
```

Good:

```python
import torch

x = torch.tensor([0.5, -1.0])
if (x > 0).all():
    print("positive")
total = torch.ones(4).mean().item()
whole = torch.stack([torch.ones(2), torch.ones(2)])
```

Message (torch 0.4 to 2.13; `int(`):

```text
TypeError: only integer tensors of a single element can be converted to an index
```

Message (torch 2.13, of a loss for each sample; `.mean() first`):

```text
  File "/home/j/speechbrain/speechbrain/core.py", line 1303, in update_average
    if torch.isfinite(loss):
RuntimeError: Boolean value of Tensor with more than one value is ambiguous
```

Message (torch 0.4):

```text
RuntimeError: bool value of Tensor with more than one value is ambiguous
```

Message (an older torch):

```text
RuntimeError: bool value of Variable objects containing non-empty torch.cuda.ByteTensor is ambiguous
```

Message (torch 1.0 to 2.13; `one number`):

```text
RuntimeError: Cannot input a tensor of dimension other than 0 as a scalar argument
```

Message (torch 2.13, with the code; `nn.MSELoss()(input, target)`):

```text
RuntimeError: Boolean value of Tensor with more than one value is ambiguous

loss = nn.MSELoss(output, target)
```

Message (torch 1.0 to 2.0, of a value for each sample; `where one number is wanted`):

```text
  File "models/sb_model.py", line 184, in forward
    for t in range(self.time_idx.int().item()+1):
ValueError: only one element tensors can be converted to Python scalars
```

Message (torch 0.4 to 2.13, of a choice in old words; `b if a else c`):

```text
  File "DiscriminativeCell.py", line 35, in forward
    input_projection = self.first and bottom_up or f.relu(f.max_pool2d(self.from_bottom(bottom_up), POOL, POOL))
RuntimeError: bool value of Tensor with more than one value is ambiguous
```
"""

import re

from keng.explain.advice.conditions import asked_of_a_tensor, taken_for_numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
LOSS = re.compile(
    r"\b(?:nn\.)?(?:MSE|CrossEntropy|(?:Smooth)?L1|BCE(?:WithLogits)?|NLL|Huber)Loss(?=\([a-z]\w{0,30}(?:\([^()\n]{0,40}\))?, ?[a-z]\w{0,30}\))"
)


@pitfall.explains(
    r"Boolean value of (?:a )?Tensor with (?P<n>more than one|no) values? is ambiguous",
    r"bool value of Tensor with (?P<n>more than one|no) values? is ambiguous",
    r"bool value of (?:Variable objects containing )?non-empty [\w. ]+ (?:is|are) ambiguous",
    odds=0.95,
)
def several_truth_values(failure: Failure) -> Hits:
    there = failure.live.operands
    made = LOSS.search(failure.line or f"{failure.message}\n{failure.around}")
    if failure.passed_through("torch/nn/_reduction.py") or (made and not failure.frames):
        loss = made[0] if made else "the loss"
        yield failure.hit(f"{loss} is made of tensors, as its options: `{loss}()(input, target)`")
        return
    if failure.passed_through("torch/nn/modules/dropout.py") and "Dropout" in failure.line:
        yield failure.hit("a Dropout is made of a tensor, as its option: `nn.Dropout(0.5)(x)`")
        return
    if failure.groups["n"] == "no":
        yield failure.hit(
            "a condition is made of an empty tensor: x.numel() > 0 says what is meant"
        )
        return
    shape = f" of shape {there[0].shape}" if len(there) == 1 else ""
    yield failure.hit(f"a condition is made of a tensor{shape}: {asked_of_a_tensor(failure.line)}")


@pitfall.explains(r"a Tensor with (?P<n>\d+) elements cannot be converted to Scalar", odds=0.95)
def several_numbers(failure: Failure) -> Hits:
    if failure.groups["n"] == "0":
        yield failure.hit(
            "the tensor is empty, and one number is wanted: a mask or a filter chose none, so ask x.numel() before"
        )
        return
    yield failure.hit(
        f"{failure.groups['n']} values where one number is wanted: .mean(), or .tolist()"
    )


@pitfall.explains(r"only one element tensors can be converted to Python scalars", odds=0.9)
def several_in_a_list(failure: Failure) -> Hits:
    yield failure.hit(taken_for_numbers(failure.line))


@pitfall.explains(
    r"only integer tensors of a single element can be converted to an index", odds=0.93
)
def as_an_index(failure: Failure) -> Hits:
    if re.search(r"\b(?:torch\.(?:as_)?tensor|\w*Tensor)\(", failure.line):
        yield from several_in_a_list(failure)
        return
    yield failure.hit(
        "a list or range wants one whole number: int(x) of one element, x.tolist() for several, x.long() of floats"
    )


@pitfall.explains(r"unsupported format string passed to Tensor\.__format__", odds=0.96)
def as_a_text(failure: Failure) -> Hits:
    yield failure.hit(
        "a format for one number gets a tensor with dimensions: x.item() of one, x.mean().item() of several"
    )


ARGUMENT = "an argument that is one number gets a tensor with dimensions: x.item()"
ROUND = "round of Python takes a number: round(x.item(), 2), or x.round(decimals=2) for a tensor"
pitfall.answers(
    {
        "Cannot input a tensor of dimension other than 0 as a scalar": ARGUMENT,
        "type Tensor doesn't define __round__ method": ROUND,
    },
    odds=0.95,
)
