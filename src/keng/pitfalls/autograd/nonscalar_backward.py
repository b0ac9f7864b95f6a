r"""Backward is called on more than one number.

Gradients are the slopes of one number. `backward()` without an argument starts from a tensor of one
element; for several it would have to know how much each of them counts. Most often a loss with
`reduction="none"`, or an output that has met no loss yet, was to be averaged first.

Cure: reduce the loss, `loss.mean().backward()`, or say what each element counts,
`loss.backward(torch.ones_like(loss))`, which is the same as its sum.

Bad:

```python
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(8, 3)
output = model(torch.randn(16, 8))
loss = F.cross_entropy(output, torch.randint(3, (16,)), reduction="none")
loss.backward()  # seen: 16 losses
```

Bad (a gradient):

```python
import torch

x = torch.randn(4, requires_grad=True)
y = x.square()
(slope,) = torch.autograd.grad(y, x)  # seen: `torch.ones_like(y)`
```

Bad (a number for a gradient):

```python
import torch

loss = torch.ones(3, requires_grad=True).sum()
loss.backward(1)  # seen: `int`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(8, 3)
output = model(torch.randn(16, 8))
loss = F.cross_entropy(output, torch.randint(3, (16,)), reduction="none")
weights = torch.rand(16)
(loss * weights).mean().backward()
```

Message (torch 1.0 to 2.13; `torch.ones_like(y)`):

```text
RuntimeError: Mismatch in shape: grad_output[0] has a shape of torch.Size([1]) and output[0] has a shape of torch.Size([]).
```

Message (torch 1.5 to 2.13; `no tensor`):

```text
TypeError: gradients can be either Tensors or None, but got float
```

Message (torch 2.13, of torch.autograd.grad; `one gradient for each`):

```text
RuntimeError: got 2 tensors and 1 gradients
```

Message (torch 2.13; `torch.eye(n)`):

```text
RuntimeError: If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was detected: grad_output[0] has a shape of torch.Size([]) and output[0] has a shape of torch.Size([3]).
```

Message (torch 2.13; `torch.ones_like(y)`):

```text
RuntimeError: For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: grad_output[0] has a dtype of torch.float32 and output[0] has a dtype of torch.complex64.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"grad can be implicitly created only for scalar outputs", odds=0.95)
def several_numbers(failure: Failure) -> Hits:
    several = [o for o in failure.live.operands if o.requires_grad and o.shape != ()]
    written = re.search(r"([\w.]+)\.backward\(|grad\(\s*([\w.]+)", failure.line)
    name = several[0].name if several else ""
    name = name or (written[1] or written[2] if written else "")
    thing = f"`{name}`" if name else "what is gone back from"
    shape = f"has the shape {several[0].shape}" if several else "is not one number"
    asked = f"`{name}.mean()` or `{name}.sum()`" if name else "mean() or sum()"
    if written and written[2]:  # a mean would give a part of each slope
        ones = f"{name}.sum(), or grad_outputs=torch.ones_like({name})"
        yield failure.hit(f"{thing} {shape}: {ones}", failure.turned(name, "{}.sum()"))
        return
    fix = failure.turned(name, "{}.mean()")
    yield failure.hit(f"{thing} {shape}: reduce it first, as with {asked}", fix)


@pitfall.explains(
    r"Mismatch in shape: grad_output\[\d+\] has a shape of torch\.Size\((?P<came>\[[\d, ]*\])\) and output\[\d+\] has a shape of torch\.Size\((?P<there>\[[\d, ]*\])\)",
    odds=0.95,
)
def gradient_of_another_shape(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    yield failure.hit(
        f"what backward is given is {came}, and the tensor that it begins at {there}: torch.ones_like(y), or nothing for one number"
    )


@pitfall.explains(r"'(?P<came>\w{2,40})' object is not iterable", odds=0.95)
def no_tensors(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/autograd/__init__.py"):
        yield failure.hit(f"{failure.groups['came']} stands where backward or grad takes tensors")


pitfall.answers(
    {
        "tensors and 1 gradients": "backward is given one gradient for each of the tensors that it begins at",
        "gradients can be either Tensors or None": "what backward is given is no tensor: torch.ones_like(y), or nothing where there is one number",
        "If `is_grads_batched=True`, we interpret": "with is_grads_batched=True the first dimension of grad_outputs counts the gradients and the rest is the output's shape: torch.eye(n) for n outputs",
        "For complex Tensors, both grad_output and output": "what is gone back from is complex, and what backward is given is not: torch.ones_like(y), or a loss that is real",
    },
    odds=0.95,
)
