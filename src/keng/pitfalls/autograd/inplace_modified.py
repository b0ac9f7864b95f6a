r"""A value that backward needs was changed in place.

Some operations keep their input or result for the backward pass: `exp`, `sigmoid` and `sqrt` their
result, a product its factors, a layer its weights. To change such a tensor in place, with `+=`, an
assignment to a slice, a method that ends in `_`, `inplace=True`, or an optimizer step between forward
and backward, makes the kept value wrong. Every tensor counts its changes, and backward refuses when the
count is not the one it noted.

Cure: write `x = x + 1` instead of `x += 1`, or change a `clone()`; call `step()` after all backward
passes of the forward pass before it, or go forward again after the step; `broadcast_buffers=False` where DistributedDataParallel goes forward twice before one
backward, since it copies the statistics of batch norm at each. `keng run --capsule` keeps the step that broke, and `keng replay` runs it
again and names the line that changed the value.

Bad:

```python
import torch

x = torch.randn(4, requires_grad=True)
y = x.exp()
y += 1  # seen: exp kept its result
y.sum().backward()
```

Bad (an assignment to a part):

```python
import torch
from torch import nn

model = nn.Linear(4, 4)
gate = torch.sigmoid(model(torch.randn(2, 4)))
gate[:, 0] = 0  # seen: sigmoid kept its result
gate.sum().backward()
```

Bad (an activation in place):

```python
import torch
from torch import nn

layers = nn.Linear(4, 4), nn.Sigmoid(), nn.ReLU(inplace=True)  # seen: sigmoid kept its result
loss = nn.Sequential(*layers)(torch.randn(2, 4)).sum()
loss.backward()
```

Bad (a step between two backward passes):

```python
import torch
from torch import nn

body, head = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
score = head(body(torch.randn(2, 4))).mean()
first, second = score.square(), score.abs()
first.backward(retain_graph=True)
optimizer.step()
second.backward()  # seen: the weights have changed since the forward pass
```

Good:

```python
import torch

x = torch.randn(4, requires_grad=True)
y = x.exp()
y = y + 1
y.sum().backward()
```

Message (torch 1.4; `seems to be a weight of shape (16, 128)`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [16, 128]], which is output 0 of TBackward, is at version 2; expected version 1 instead. Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!
```

Message (torch 1.5 to 2.13, of maps; `the result of relu of shape (1, 128, 192, 120)`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1, 128, 192, 120]], which is output 0 of ReluBackward0, is at version 3; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```

Message (torch 1.5 to 2.13, of an image that no layer has made; `x = x + 1`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1, 3, 512, 512]] is at version 3; expected version 0 instead. Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!
```

Message (torch 1.5 to 2.13, of a model of texts on several cards; `position_ids`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.LongTensor [1, 512]] is at version 3; expected version 2 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```

Message (torch 1.5 to 2.13, of a matrix; `or it is a weight`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [256, 72]] is at version 5; expected version 4 instead. Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!
```

Message (torch 1.13, of a view less its mean; `a view of shape (32, 995, 3)`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [32, 995, 3]], which is output 0 of AsStridedBackward0, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```

Message (torch 1.2 to 2.13, on several cards; `broadcast_buffers=False`):

```text
training with DistributedDataParallel, two forward passes and one backward
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [256]] is at version 7; expected version 6 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```

Message (torch 1.5 to 2.13, on several cards; `is it a buffer`):

```text
torchrun --nproc-per-node 2 train.py
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [256, 72]] is at version 5; expected version 4 instead. Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!
```

Message (torch 1.5 to 2.13, a bias; `step() after it`):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [64]] is at version 3; expected version 2 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```

Message (torch 1.1):

```text
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation
```

Message (torch 1.5 to 2.13, of a graph that several steps go back through; `keeps the old graph`):

```text
When n_steps > 1, I add retain_graph=True in loss_G.backward(), but it still does not work:
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [8, 3, 6, 6]] is at version 2; expected version 1 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```

Message (torch 1.5 to 2.13, its beginning cut off; `in place`):

```text
output 0 of AsStridedBackward0, is at version 3; expected version 1 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).
```
"""

import ast
import re

from keng.explain.advice.fits import by_what
from keng.explain.advice.kept import WEIGHTS, changed_otherwise, kept_as
from keng.explain.failure import Failure
from keng.explain.live import Changed
from keng.model import Hit, Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"one of the variables needed for gradient computation has been modified by an inplace operation"
    r"(?:: \[\S{1,60} \[(?P<shape>[\d, ]*)\]\](?:, which is output \d+ of (?P<node>\w+)(?: \d)?,)?)?",
    r"is at version \d+; expected version \d+ instead",
    odds=0.95,
)
def changed_after_it_was_kept(failure: Failure) -> Hits:
    shape, node = (failure.groups.get(name, "") for name in ("shape", "node"))
    node = re.sub(r"Backward\d*$", "", node)
    line = failure.place.line if failure.place else 0
    changes = failure.code.changes_before(line) if failure.code is not None else []
    steps = [
        node for node, tensor in changes if tensor is None and ".step" in failure.code.text_of(node)
    ]
    of = f" of shape ({shape})" if shape else ""
    changed = failure.live.changed
    if changed is not None and changed.names:
        yield held_by_a_module(failure, changed, line)
        return
    if node in WEIGHTS and steps:
        says = f"weights{of} changed by `step()` on line {steps[-1].lineno} are needed by this backward"
        sure = not any(isinstance(tensor, ast.Attribute) for _, tensor in changes)
        yield failure.hit(f"{says}: step after it", sure=sure)
        return
    others = [change for change, _ in changes if change not in steps]
    by, where = by_what(failure, others)
    if not by:
        yield failure.hit(changed_otherwise(failure, shape, node))
        return
    alone = where is not None and len(others) == 1 and where.line == failure.code.line_of(others[0])
    fix = failure.code.not_in_place(others[0], node) if alone else None
    made = failure.code.made_in_place() if changed and changed.layers and failure.code else None
    where, fix = made if made is not None and where is None else (where, fix)
    says = (
        f"{kept_as(shape, node)} is needed for backward and was changed in place{by}: change a copy"
    )
    yield failure.hit(says, fix, where)


def held_by_a_module(failure: Failure, changed: Changed, line: int) -> Hit:
    """A parameter that an optimizer steps, or a parameter or buffer that the program itself changes."""
    what, by, step = " or ".join(f"`{name}`" for name in changed.names[:3]), None, False
    if failure.code is not None:
        by, step = failure.code.changed_by(line, changed.names, changed.steppers)
    told = f" by `{failure.code.text_of(by)}` on line {failure.code.line_of(by)}" if by else ""
    if step:
        cure = "step after it"
        if failure.code.steps_of_others(line, changed.steppers):
            cure = "its forward pass belongs behind that step"
        return failure.hit(f"{what}, changed{told}, is needed by this backward: {cure}")
    says = f"{what} is needed for backward and was changed in place{told}: use its clone() in the forward"
    return failure.hit(says, where=failure.code.span(by) if by else None)
