r"""The host waits for the GPU once for every parameter.

`.item()`, `.tolist()` and `float(tensor)` wait until the GPU has done all that is queued. Once a step
that costs little. In a loop over the parameters it happens hundreds of times in each step, and the GPU
stands idle after each, until the host has queued something again.

Cure: add up on the device and read once: `torch.stack(norms).norm().item()`; the norm of all gradients
is what `clip_grad_norm_` returns.

Bad:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1)).cuda()
model(torch.randn(4, 8, device="cuda")).mean().backward()
total = 0.0
for p in model.parameters():
    total += p.grad.norm().item() ** 2  # here: one wait a parameter
```

Proof:

```python
import warnings

with warnings.catch_warnings(record=True) as waits:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    [p.grad.norm().item() for p in model.parameters()]
    torch.cuda.set_sync_debug_mode("default")
assert len(waits) >= 4
```

Bad (with names, in a function):

```python
import torch
from torch import nn


def norms(model):
    found = {}
    for name, p in model.named_parameters():
        found[name] = float(p.detach().norm())  # here: one wait a parameter
    return found


device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 1).to(device)
for step in range(3):
    norms(model)
```

Proof:

```python
import warnings

with warnings.catch_warnings(record=True) as waits:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    norms(model)
    torch.cuda.set_sync_debug_mode("default")
assert len(waits) >= 2
```

Bad (of all that have a gradient):

```python
import torch
from torch import nn

model = nn.Linear(8, 1).to("cuda")
model(torch.randn(4, 8, device="cuda")).mean().backward()
norms = {}
for name, p in model.named_parameters():
    if p.grad is not None:
        norms[name] = p.grad.norm().item()  # here: one wait a parameter
```

Proof:

```python
import warnings

with warnings.catch_warnings(record=True) as waits:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    [p.grad.norm().item() for p in model.parameters()]
    torch.cuda.set_sync_debug_mode("default")
assert len(waits) >= 2
```

Bad (in training):

```python
import torch
from torch import nn

model = nn.Sequential(*(nn.Linear(8, 8) for _ in range(6))).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    model(torch.randn(4, 8, device="cuda")).square().mean().backward()
    norms = {}
    for name, p in model.named_parameters():
        norms[name] = p.grad.norm().item()  # here: twelve waits a step
    optimizer.step()
```

Good:

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1)).to(device)
model(torch.randn(4, 8, device=device)).mean().backward()
total = torch.stack([p.grad.norm() for p in model.parameters()]).norm().item()
```

Fine (sizes are no values; a loop over batches; only where something is wrong):

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 1).to(device)
size, total = 0, 0.0
for p in model.parameters():
    size += float(p.numel())
    if p.ndim > 5:
        print(p.norm().item())
for x in torch.randn(4, 2, 8, device=device):
    total += model(x).mean().item()
```

Fine (on the CPU alone):

```python
from torch import nn

total = 0.0
for p in nn.Linear(8, 1).parameters():
    total += p.norm().item()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import DeviceReads
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="cuda")


@pitfall.finds
def one_wait_a_parameter(code: Code) -> Hits:
    for loop, name in code.parameter_loops() if code.cuda_calls else ():
        for call in code.reads_in(loop):
            text = code.text_of(call)
            yield code.hit(call, f"`{text}` waits for the GPU once for every `{name}`")


@pitfall.watches("device.reads")
def many_reads_in_a_step(seen: DeviceReads) -> Hits:
    if seen.reads >= 10:
        says = f"this line has read {seen.reads} values from the GPU in one step"
        yield seen.hit(f"{says}, and waited for it each time", reads=seen.reads)
