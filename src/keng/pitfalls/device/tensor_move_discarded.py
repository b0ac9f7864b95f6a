r"""The moved tensor is thrown away.

`Module.to()`, `.cuda()` and `.cpu()` move the module itself. The methods of the same name on a tensor
return a moved copy and leave the tensor where it was, so a call that stands alone as a statement does
nothing, and the next operation meets two devices or two dtypes.

Cure: assign the result: `x = x.to(device)`.

Bad:

```python
import torch

weight = torch.ones(3, 3, dtype=torch.float64)
x = torch.ones(3)
x.to(torch.float64)  # here: the float64 copy is dropped
y = weight @ x
```

Bad (on another device, for which meta stands in where there is no GPU):

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "meta"
model = nn.Linear(3, 2).to(device)
x = torch.ones(4, 3)
x.to(device)  # here: the copy on the GPU is dropped
y = model(x)
```

Bad (what a loop goes through, and a model is given):

```python
import torch
from torch import nn


def train(model, pairs, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for (one, other), label in pairs:
        one.to(device)  # here: the copy on the GPU is dropped
        other = other.to(device)
        optimizer.zero_grad()
        (model(one) - model(other)).square().mean().backward()
        optimizer.step()


device = "cuda" if torch.cuda.is_available() else "meta"
pairs = [((torch.ones(4, 3), torch.zeros(4, 3)), 1)]
train(nn.Linear(3, 2).to(device), pairs, device)
```

Good:

```python
import torch

weight = torch.ones(3, 3, dtype=torch.float64)
x = torch.ones(3)
x = x.to(torch.float64)
y = weight @ x
```

Fine (modules move in place):

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
model.to(device)
criterion = nn.CrossEntropyLoss()
criterion.to(device)


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        self.to(torch.float64)
        self.inner.cpu()


Wrapped().cpu()
```

Fine (modules that a loop goes through; a tensor that no model is given):

```python
import torch
from torch import nn


def spread(model, parts, seen, device):
    model.eval()
    for part in parts:
        part.to(device)
        print(part(torch.ones(1, 3).to(device)))
    for x in seen:
        x.to(device)
    return model(torch.ones(1, 3).to(device))


spread(nn.Linear(3, 2), [nn.Linear(3, 1)], [nn.ReLU()], "cpu")
```

Fine (a probe and a warm-up, whose results nobody wants):

```python
import torch

try:
    probe = torch.zeros(1)
    probe.cuda()
except (AssertionError, RuntimeError):
    pass
torch.zeros(1).to("cpu")
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Kind

pitfall = Pitfall(__name__, __doc__, severity="error")

MOVES = {"to", "cuda", "cpu"}


@pitfall.finds(fixes=True)
def result_of_a_move_dropped(code: Code) -> Hits:
    for call, receiver, method in code.discarded_calls():
        if method not in MOVES or not isinstance(
            receiver, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            continue
        known = code.kind_of(receiver) is Kind.TENSOR or code.is_fed_to_model(receiver)
        if not known or code.probed(call):
            continue
        name = code.text_of(receiver)
        fix = None
        if code.read_again(receiver):
            fix = Fix(f"Assign the result to `{name}`", (code.insert(call, f"{name} = "),))
        yield code.hit(call, f"`{name}` is not moved; this returns a new tensor", fix=fix)


@pitfall.explains(
    r"Expected all tensors to be on the same device|Tensor on device \S+ is not on the expected device|"
    r"Expected object of (?:device type|backend) \S+ but got|Input type \(.{1,60}\) and \w+ type \(",
    r"(?:must|to) have the same dtype, but got|expected scalar type \w+ but found \w+",
    odds=0.5,
)
def two_devices_or_dtypes(failure: Failure) -> Hits:
    if failure.passed_through("torchmetrics/metric.py"):
        return  # what it makes of it names the metric
    kinds = {(operand.dtype, operand.device) for operand in failure.live.operands}
    there = [f"`{o.name}` is {o.dtype} on {o.device}" for o in failure.live.operands]
    said = failure.message.lower()
    types = {word for word in ("cuda", "mps", "xpu") if said.count(word) == 1}
    devices = "device" in said or "backend" in said or bool(types)
    met = "two devices meet" if devices else "two dtypes meet"
    says = "; ".join(there) if len(kinds) > 1 else met
    done = "moved" if devices else "converted"
    yield failure.hit(f"{says}: one was not {done}, or its {done} copy was dropped", sure=False)
