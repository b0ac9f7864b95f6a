r"""A clock is read before the GPU has finished.

An operation on a GPU is only queued: the call returns at once, and a clock on the host measures how
long it takes to queue it. The time turns up in the first line that waits, `loss.item()` for example,
and the first calls are slower besides: CUDA starts, kernels are loaded and chosen, memory is taken.

Cure: run it a few times first, call `torch.cuda.synchronize()` before both readings of the clock, or
leave it to `torch.utils.benchmark.Timer`, which does all that.

Bad:

```python
import time

import torch
from torch import nn

model = nn.Linear(8192, 8192).cuda()
x = torch.randn(8192, 8192, device="cuda")
model(x)
torch.cuda.synchronize()
start = time.time()
y = model(x)
elapsed = time.time() - start  # here: the product may not have begun
```

Proof:

```python
torch.cuda.synchronize()
assert elapsed < (time.time() - start) / 2
```

Bad (many runs, a loss):

```python
import time

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4096, 4096).to(device)
x = torch.randn(4096, 4096).to(device)
model(x).mean().backward()
begin = time.perf_counter()
for _ in range(20):
    loss = model(x).mean()
    loss.backward()
end = time.perf_counter()
elapsed = end - begin  # here: twenty runs have been queued
```

Proof:

```python
torch.cuda.synchronize()
assert elapsed < (time.perf_counter() - begin) / 2
```

Good:

```python
import time

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(64, 64).to(device)
x = torch.randn(8, 64, device=device)
model(x)
if device == "cuda":
    torch.cuda.synchronize()
start = time.perf_counter()
y = model(x)
if device == "cuda":
    torch.cuda.synchronize()
print(time.perf_counter() - start)
```

Fine (on the CPU; a value that is read; a function that may wait):

```python
import time

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net, model = nn.Linear(64, 64), nn.Linear(64, 64).to(device)
x = torch.randn(8, 64)
start = time.time()
y = net(x)
print(time.time() - start)
x = x.to(device)
start = time.time()
loss = model(x).mean().item()
print(time.time() - start)


def evaluate():
    return model(x).sum().item()


start = time.time()
evaluate()
print(time.time() - start)
start = time.time()
z = model(x).sum()
print(z)
print(time.time() - start)
```
"""

import ast

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="cuda")


@pitfall.finds
def clock_read_too_soon(code: Code) -> Hits:
    for stretch in code.timed:
        calls = [c for s in stretch.statements for c in code.below(s, ast.Call)]
        names = [n for s in stretch.statements for n in code.below(s, ast.Name)]
        if not calls or not all(code.only_queues(call) for call in calls):
            continue
        used = next((n.id for n in names if code.on_cuda(n)), None)
        if used is not None:
            yield code.hit(
                stretch.difference,
                f"the work on `{used}` has only been queued on the GPU when the clock is read",
            )
