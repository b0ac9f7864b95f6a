r"""A name of PyTorch that was renamed, replaced or taken away is still in use.

PyTorch moves things: linear algebra to `torch.linalg`, mixed precision from `torch.cuda.amp` to `torch.amp`,
functorch to `torch.func`, `nn.init.uniform` to `uniform_`. The old name works for some versions more, with a
warning or without one, and then breaks the program on the next update. Where the new thing is not quite the old
one (`linalg.eigh` reads the other triangle, `linalg.solve` takes the matrix first), a mere renaming goes wrong
silently.

Cure: the new name. `keng check --fix` writes it where the meaning stays the same; where it does not, the message
tells the difference. Programs for older versions, and those that ask which version is there, are left alone.

Bad (taken away):

```python
import torch

values, vectors = torch.symeig(torch.eye(3), eigenvectors=True)  # here: `torch 2.0 no longer has`
```

Bad (renamed; arguments moved):

```python
import warnings

import torch

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    product = torch.chain_matmul(torch.eye(2), torch.eye(2))  # here: one list now
    factor = torch.cholesky(torch.eye(2))  # here: `torch.linalg.cholesky`
    with torch.cpu.amp.autocast(True):  # here: `torch.amp.autocast`
        y = torch.eye(2) @ torch.eye(2)
```

Proof:

```python
assert len(said) >= 3
```

Bad (imported by name):

```python
import warnings

import torch
from torch import nn
from torch.nn.init import constant, xavier_uniform

layer = nn.Linear(4, 4)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    xavier_uniform(layer.weight)  # here: with an underscore now
    constant(layer.bias, 0.0)  # here: the same
```

Proof:

```python
assert len(said) == 2
```

Bad (a method):

```python
import torch

x = torch.eye(3)
values, vectors = x.symeig(eigenvectors=True)  # here: gone with the function
```

Bad (imported, though it is no longer there):

```python
import torch
from torch._six import container_abcs  # here: `torch._six`
```

Bad (without saying in which order):

```python
import warnings

import torch

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    x, y = torch.arange(2), torch.arange(3)
    x, y = torch.meshgrid(x, y)  # here: which of the two orders
```

Proof:

```python
assert "indexing" in str(said[0].message)
```

Good:

```python
import torch
from torch import nn
from torch.nn.init import xavier_uniform_

values, vectors = torch.linalg.eigh(torch.eye(3))
product = torch.linalg.multi_dot([torch.eye(2), torch.eye(2)])
with torch.amp.autocast("cpu", enabled=True):
    y = torch.eye(2) @ torch.eye(2)
xavier_uniform_(nn.Linear(4, 4).weight)
rows, columns = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
```

Fine (asked for first; a thing of one's own):

```python
import torch

if hasattr(torch, "amp"):
    scaler = torch.amp.GradScaler("cpu", enabled=False)
else:
    scaler = torch.cuda.amp.GradScaler(enabled=False)
try:
    from torch._six import inf
except ImportError:
    from math import inf


def autocast():
    if torch.__version__ >= "2.4":
        return torch.amp.autocast("cpu")
    return torch.cpu.amp.autocast()


weight_norm = torch.nn.utils.weight_norm
if hasattr(torch.nn.utils.parametrizations, "weight_norm"):
    weight_norm = torch.nn.utils.parametrizations.weight_norm


def qr(a):
    return torch.linalg.qr(a)


def is_normed(hook):
    from torch.nn.utils.weight_norm import WeightNorm

    return isinstance(hook, WeightNorm)


def exported(model, x):
    assert hasattr(torch.onnx, "dynamo_export"), "wants torch 2.1 to 2.8"
    return torch.onnx.dynamo_export(model, x)


class Solver:
    def symeig(self):
        return qr(torch.eye(2))


q, r = Solver().symeig()
```

Fine (spoken of and not used; asked for afterwards):

```python
import torch
from torch import nn

OLD = {torch.qr: "torch.linalg.qr", torch.cholesky: "torch.linalg.cholesky"}


def told(function):
    return OLD.get(function, "") if function in (torch.qr, torch.cholesky) else ""


def normalized(layer, plain):
    if plain:
        return layer
    else:
        weight_norm = nn.utils.weight_norm
        if hasattr(nn.utils.parametrizations, "weight_norm"):
            weight_norm = nn.utils.parametrizations.weight_norm
        return weight_norm(layer)


told(torch.sum)
normalized(nn.Linear(2, 2), plain=False)
```

Message (torch 2.4 to 2.13):

```text
train.py:9: FutureWarning: `torch.cuda.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cuda', args...)` instead.
  scaler = torch.cuda.amp.GradScaler()
```

Message (torch 1.8):

```text
AttributeError: module 'torch' has no attribute 'rfft'
```

Message (torch 2.0):

```text
ModuleNotFoundError: No module named 'torch._six'
```

Message (torch 2.0, asked by an older package; `pip install -U deepspeed`):

```text
  File "/env/lib/python3.10/site-packages/deepspeed/runtime/utils.py", line 18, in <module>
    from torch._six import inf
ModuleNotFoundError: No module named 'torch._six'
```

Message (torch 2.4 to 2.13, of an installed package; `works as before`):

```text
/env/lib/python3.10/site-packages/ultralytics/utils/checks.py:667: FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.
  with torch.cuda.amp.autocast(True):
```

Message (torch 1.9 to 2.13):

```text
UserWarning: torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.
```

Message (torch 1.13 to 2.13; `next(iterator)`):

```text
AttributeError: '_MultiProcessingDataLoaderIter' object has no attribute 'next'
```

Message (torch 1.8 to 2.13; `torch.fft.fftn`):

```text
  File "model.py", line 20, in forward
    spectrum = torch.fft(waves, signal_ndim=2)
TypeError: 'module' object is not callable
```

Message (torch 1.4 to 2.13; `torch.cuda.memory_reserved`):

```text
FutureWarning: torch.cuda.memory_cached has been renamed to torch.cuda.memory_reserved
```
"""

import re

from keng.explain.advice.shown import asker
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code
from keng.tables.removed_symbols import GONE_MODULES, OLD_NAMES, written_now

pitfall = Pitfall(__name__, __doc__, severity="warning")
NAMES = frozenset(OLD_NAMES)


@pitfall.finds(fixes=True)
def old_name(code: Code) -> Hits:
    for node, name in code.uses_of_names(NAMES):
        old = OLD_NAMES[name]
        if code.torch_at_least(old.since) is False or code.guarded(node) or code.belongs_to(name):
            continue
        if not old.removed and code.only_named(node):
            continue
        fix = None
        if old.safety:
            fix = code.rewritten(node, written_now, f"Write {old.new}", old.safety)
        yield code.hit(node, old.told(name), fix=fix, sure=old.loud)


@pitfall.finds
def old_import(code: Code) -> Hits:
    gone = code.imports_of(GONE_MODULES)
    for node, name in (*code.unused_imports(OLD_NAMES, GONE_MODULES), *gone):
        old = OLD_NAMES[name]
        apart = code.guarded(node) or code.belongs_to(name)
        if code.torch_at_least(old.since) is not False and not apart:
            yield code.hit(node, old.told(name), sure=old.loud)


@pitfall.finds(fixes=True)
def unsaid_order(code: Code) -> Hits:
    for call in code.calls_to("torch.meshgrid"):
        spread = any(k.arg in ("indexing", None) for k in call.keywords)
        if spread or code.torch_at_least("1.10") is False or code.guarded(call):
            continue
        fix = code.add_argument(call, 'indexing="ij"', "Say the order that is meant today", "safe")
        yield code.hit(call, 'which order is meant is to be said: indexing="ij" or "xy"', fix=fix)


@pitfall.explains(
    r"(?P<name>(?:torch|functorch|nn\.init)\.[\w.]+)(?:\([^)`]*\))?`? is (?:now )?deprecated",
    r"(?P<name>torch\.[\w.]+)`? has been renamed to `?torch\.",
    r"module '(?P<home>torch[\w.]*)' has no attribute '(?P<name>\w+)'",
    r"No module named '(?P<name>torch\.[\w.]+)'",
    odds=0.9,
)
def old_name_in_message(failure: Failure) -> Hits:
    home, name = failure.groups.get("home", ""), failure.groups["name"]
    name = f"{home}.{name}" if home else re.sub(r"^nn\.", "torch.nn.", name)
    known = OLD_NAMES.get(name)
    if known is not None and (
        known.removed or re.search("deprecated|renamed", failure.message)
    ):  # not too new
        who, says = asker(failure, " "), known.told(name)
        if who and failure.kind.endswith("Warning"):
            says += f"; it works as before, and {who} is to change it"
        elif who and known.removed:
            says = f"torch {known.removed} no longer has `{name}`, and {who} asks for it: pip install -U {who}, or torch<{known.removed}"
        yield failure.hit(says)


@pitfall.explains(
    r"This function was deprecated since version [\d.]+ and is now removed", odds=0.95
)
def removed_function(failure: Failure) -> Hits:
    called = re.search(r"\.(\w+)\(", failure.line)
    name = f"torch.{called[1]}" if called else ""
    known = OLD_NAMES.get(name)
    yield failure.hit(known.told(name) if known else "torch.linalg has what has taken its place")


@pitfall.explains(
    r"'_(?:(?:Multi|Single)Process\w*|DataLoader)Iter' object has no attribute 'next'", odds=0.95
)
def next_as_a_method(failure: Failure) -> Hits:
    yield failure.hit("since torch 1.13 an iterator has no .next(): next(iterator)")


@pitfall.explains(r"'module' object is not callable", odds=0.95)
def function_that_is_a_module(failure: Failure) -> Hits:
    if re.search(r"\btorch\.fft\(", failure.line or failure.around):
        yield failure.hit("torch.fft is a module since torch 1.8: torch.fft.fftn(x)")
