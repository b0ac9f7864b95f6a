r"""Gradients are switched off for the whole program.

`torch.set_grad_enabled(False)` as a statement holds from then on, in every file and for all that
follows, until something switches it on again. At the top of a script for predictions, which another
script then imports, it stops the training of that one. `with torch.set_grad_enabled(False):` ends with
its block.

Cure: `with torch.no_grad():` around what needs it, or `@torch.no_grad()` on the function.

Bad:

```python
import torch
from torch import nn

torch.set_grad_enabled(False)  # here: for the training below too
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
```

Bad (left off by a validation, at the end of a round):

```python
import torch
from torch import nn

model, x = nn.Linear(8, 1), torch.randn(16, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for step in range(2):
        optimizer.zero_grad()
        loss = model(x).square().mean()
        if loss.requires_grad:
            loss.backward()
        optimizer.step()
    torch.set_grad_enabled(False)  # here: the second epoch does not go backward
    error = model(x).square().mean()
```

Bad (left off by a function, in a loop that goes back only where it can):

```python
import torch
from torch import nn


def predicted(model, x):
    torch.set_grad_enabled(False)  # seen: nothing is learned after it
    return model(x)


model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for step in range(2):
        optimizer.zero_grad()
        loss = model(torch.randn(16, 8)).square().mean()
        if loss.requires_grad:
            loss.backward()
        optimizer.step()
    before = predicted(model, torch.randn(4, 8))
```

Proof:

```python
assert not torch.is_grad_enabled()
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    output = model(torch.randn(16, 8))
```

Fine (a script that only predicts; switched on again; a block):

```python
import torch
from torch import nn

torch.set_grad_enabled(False)
model = nn.Linear(8, 1)
output = model(torch.randn(16, 8))
torch.set_grad_enabled(True)
with torch.set_grad_enabled(False):
    output = model(torch.randn(16, 8))
model(torch.randn(16, 8)).square().mean().backward()
```

Fine (switched on again where it is needed):

```python
import torch
from torch import nn

torch.set_grad_enabled(False)
model = nn.Linear(8, 1)


@torch.enable_grad()
def slope(x):
    model(x).sum().backward()


slope(torch.randn(16, 8))
with torch.enable_grad():
    model(torch.randn(16, 8)).square().mean().backward()
```

Fine (only predictions):

```python
import torch
from torch import nn

torch.set_grad_enabled(False)
output = nn.Linear(8, 1)(torch.randn(16, 8))
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import GradientsOff
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def switched_off_before_backward(code: Code) -> Hits:
    for call in code.calls_to("torch.set_grad_enabled"):
        alone = isinstance(code.parent[call], ast.Expr)
        if not alone or not call.args or not code.is_constant(call.args[0], False):
            continue
        later = [
            c
            for c in code.method_calls("backward")
            if code.position(c) > code.position(call)
            and code.function_around(c) is code.function_around(call)
            and code.grad_at(c) is Grad.OFF
        ]
        if later and not code.probed(later[0]):
            line = later[0].lineno
            yield code.hit(
                call, f"gradients stay off for the training too, which goes back on line {line}"
            )
    for call, back in code.left_off_in_loops():
        line = code.position(back)[0]
        says = f"gradients stay off for the next round too, which goes back on line {line}"
        yield code.hit(call, says)
    for statement, file, line in code.imports_switching_off():
        says = f"this import switches gradients off for the whole program, on line {line} of {file}"
        yield code.hit(statement, says)


@pitfall.explains(
    r"element \d+ of (?:tensors|variables) does not require grad and does not have a grad_fn",
    odds=0.3,
)
def perhaps_switched_off(failure: Failure) -> Hits:
    live = failure.live.unlearned
    off = live is not None and live.off
    says = f"gradients {'are' if off else 'may have been'} switched off for the whole program"
    where = "in this or an imported file, which `keng run` names"
    yield failure.hit(f"{says}, by set_grad_enabled(False) {where}", sure=off)


@pitfall.watches("gradients.off")
def backward_without_a_graph(seen: GradientsOff) -> Hits:
    if seen.switch is not None:
        says = (
            "gradients are switched off here for the whole program, and nothing is learned after it"
        )
        yield seen.hit(says, where=seen.switch)
