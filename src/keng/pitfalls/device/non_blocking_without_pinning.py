r"""A copy that is not to block has no pinned memory, or is read too soon.

`non_blocking=True` lets the host go on while a batch is copied to the GPU, but only out of pinned
memory; out of ordinary memory the copy blocks as always. The other way, a copy to the CPU returns before
the numbers are there: what is read at once is what was in that memory before.

Cure: `DataLoader(..., pin_memory=True)` together with `non_blocking=True`; before the host reads a copy,
`torch.cuda.synchronize()`, or copy without `non_blocking`.

Bad:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8)
for (x,) in loader:
    x = x.to(device, non_blocking=True)  # here: the loader does not pin
    x.mean()
```

Bad (a copy to the host):

```python
import torch

x = torch.rand(4096, 4096, device="cuda")
for _ in range(50):
    x = x @ x / 4096
y = x[0].to("cpu", non_blocking=True)
values = y.numpy()  # here: the copy may not be done
```

Proof:

```python
assert not torch.cuda.current_stream().query()
```

Good:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
pins = torch.cuda.is_available()
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8, pin_memory=pins)
for (x,) in loader:
    x = x.to(device, non_blocking=True)
    x.mean()
```

Fine (pinned by hand; settings from elsewhere; a wait before the copy is read):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
settings = {"pin_memory": torch.cuda.is_available()}
data = TensorDataset(torch.randn(64, 8))
for (x,) in DataLoader(data, batch_size=8, **settings):
    x = x.to(device, non_blocking=True)
for (x,) in DataLoader(data, batch_size=8):
    if torch.cuda.is_available():
        x = x.pin_memory()
    x = x.to(device, non_blocking=True)
for (x,) in DataLoader(data, batch_size=8):
    x = x.to(device, non_blocking=False)
y = x.to("cpu", non_blocking=True)
if torch.cuda.is_available():
    torch.cuda.synchronize()
values = y.numpy()
```
"""

import ast

from keng.model import Hits, Pitfall
from keng.run.moments import DeviceCopy
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="cuda")


@pitfall.finds(fixes=True)
def loader_that_does_not_pin(code: Code) -> Hits:
    for call in code.method_calls("to", "cuda"):
        given = code.receiver(call)
        if not code.non_blocking(call) or not isinstance(given, ast.Name):
            continue
        loader = code.loader_of(given)
        if loader is None or code.line_of(loader) is None or any(code.method_calls("pin_memory")):
            continue
        if code.argument(loader, "pin_memory", position=7) is None:
            fix = code.add_argument(loader, "pin_memory=True", "Pin the loader's batches")
            says = f"`{given.id}` comes from a loader without pin_memory, so its copy blocks"
            yield code.hit(call, says, fix=fix)


@pitfall.finds
def read_before_it_is_there(code: Code) -> Hits:
    for call in code.method_calls("numpy", "tolist", "item"):
        copied = code.receiver(call)
        copy = code.copied_to_host(copied)
        if copy is None or not code.non_blocking(copy):
            continue
        if not code.waits_between(copy, call):
            name = code.text_of(copied)
            yield code.hit(
                call, f"`{name}` is read while its copy to the host may still be running"
            )


@pitfall.watches("device.copy")
def copied_from_ordinary_memory(copy: DeviceCopy) -> Hits:
    says = (
        f"{copy.bytes / 1024:.0f} KiB are copied with non_blocking=True out of memory that is not"
    )
    yield copy.hit(f"{says} pinned: the copy blocks as always")
