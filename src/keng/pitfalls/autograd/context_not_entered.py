r"""A context manager is called as a statement, and nothing happens.

`torch.no_grad()` makes an object; gradients are off only inside a `with` block of it or a function that it decorates.
As a statement of its own the object is thrown away and everything goes on as before: evaluation records its graphs
and runs out of memory. So it is with `inference_mode`, `autocast`, `enable_grad` and `device`.

`with torch.no_grad:` without the parentheses names the class, which has nothing to enter, and is refused.

Cure: `with torch.no_grad():` and the rest indented; `torch.set_grad_enabled(False)` is the statement.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
torch.no_grad()  # here: `torch.no_grad()` is not entered
y = model(torch.randn(1, 4))
```

Proof:

```python
assert y.requires_grad
```

Bad (mixed precision):

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
torch.autocast("cpu", dtype=torch.bfloat16)  # here: nothing is cast
y = model(torch.randn(1, 4))
```

Proof:

```python
assert y.dtype == torch.float32
```

Bad (no parentheses):

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
with torch.no_grad:  # here: this is the class
    y = model(torch.randn(1, 4))
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(4, 2)
with torch.no_grad():
    y = model(torch.randn(1, 4))
torch.set_grad_enabled(False)
z = model(torch.randn(1, 4))
```

Fine (kept, decorating, or entered by hand):

```python
import torch

off = torch.no_grad()
off.__enter__()
off.__exit__(None, None, None)


@torch.no_grad()
def predict(model, x):
    return model(x)
```

Fine (only to see whether there is such a device):

```python
import torch


def is_device(text):
    try:
        torch.device(text)
    except RuntimeError:
        return False
    return True


assert is_device("cpu") and not is_device("toaster")
```


Message (Python before 3.11; `with torch.no_grad():`):

```text
  File "train.py", line 31, in evaluate
    with torch.no_grad:
AttributeError: __enter__
```

Message (torch 2.13; `with torch.autocast(...):`):

```text
TypeError: autocast()(func) requires a callable, but got Tensor. Did you mean to use autocast as a context manager? For example:
    with torch.autocast(device_type=...):
        output = model(input)
```
"""

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

CONTEXTS = {
    f"torch.{name}"
    for name in (
        *("no_grad", "inference_mode", "enable_grad", "autocast", "amp.autocast", "device"),
        *("cuda.amp.autocast", "cuda.device", "cuda.stream", "autograd.detect_anomaly"),
        *("autograd.set_detect_anomaly_off", "random.fork_rng", "autograd.profiler.profile"),
    )
}
OPENED = re.compile(
    r"\bwith ((?:\w+\.){0,3}(?:no_grad|enable_grad|inference_mode|autocast|detect_anomaly)):"
)


@pitfall.finds
def thrown_away(code: Code) -> Hits:
    for call in code.calls_as_statements(CONTEXTS):
        if not code.probed(call):
            says = f"`{code.text_of(call)}` is not entered: it does nothing without `with`"
            yield code.hit(call, says)


@pitfall.finds(fixes=True)
def class_entered(code: Code) -> Hits:
    for block in code.of(ast.With):
        for context in [item.context_expr for item in block.items]:
            if code.resolve(context) in CONTEXTS and not code.probed(context):
                fix = Fix("Add the parentheses", (code.append(context, "()"),), "safe")
                yield code.hit(context, _refused(code.text_of(context)), fix=fix)


@pitfall.explains(
    r"'type' object does not support the context manager protocol",
    r"(?:^|AttributeError: )(?:__enter__|__exit__)$",
    odds=0.95,
)
def class_refused(failure: Failure) -> Hits:
    line = failure.place.line if failure.place is not None else 0
    code = failure.code
    blocks = code.on_line(line, ast.With) if code is not None else []
    for context in [item.context_expr for block in blocks for item in block.items]:
        if code is not None and code.resolve(context) in CONTEXTS:
            yield failure.hit(_refused(code.text_of(context)))
    named = OPENED.search(failure.line or failure.around)
    if not blocks and named is not None:
        yield failure.hit(_refused(named[1]))


@pitfall.explains(r"autocast\(\)\(func\) requires a callable, but got (?P<kind>\w+)", odds=0.97)
def called_on_a_tensor(failure: Failure) -> Hits:
    yield failure.hit(
        f"torch.autocast(...) is called with a {failure.groups['kind']}: `with torch.autocast(...):` around what computes it"
    )


def _refused(context: str) -> str:
    return f"`{context}` is the class, which has nothing to enter: `with {context}():`"
