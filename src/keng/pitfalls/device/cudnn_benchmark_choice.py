r"""Algorithms are tried out for speed in a run that is to be repeatable.

`cudnn.benchmark = True` times the algorithms for each new input shape and takes the fastest: what wins may differ from
run to run, and with it the last digits of the results. It pays where shapes stay the same, and costs a search for every
new one where they vary. `cudnn.deterministic = True` asks for the opposite, the same result each time.

Cure: `benchmark = True` alone for speed with fixed shapes; `benchmark = False` with `deterministic = True`, or
`torch.use_deterministic_algorithms(True)`, for runs that can be repeated.

Bad:

```python
import torch

torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = True  # here: not the same from run to run
```

Proof:

```python
assert torch.backends.cudnn.deterministic and torch.backends.cudnn.benchmark
```

Bad (through its module):

```python
import torch
import torch.backends.cudnn as cudnn


def prepare(seed):
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    cudnn.benchmark = True  # here: `deterministic`


prepare(0)
```

Proof:

```python
assert torch.are_deterministic_algorithms_enabled() and cudnn.benchmark
```

Bad (in training):

```python
import torch
from torch import nn

torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = True  # here: and repeatable
model = nn.Conv2d(3, 4, 3)
y = model(torch.randn(2, 3, 8, 8))  # seen: `deterministic`
```

Good:

```python
import torch

torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False
```

Fine (one or the other):

```python
import torch
from torch.backends import cudnn


def prepare(seed=None):
    if seed is not None:
        torch.manual_seed(seed)
        cudnn.deterministic = True
    else:
        cudnn.benchmark = True


def fast():
    cudnn.benchmark = True


def repeatable():
    cudnn.deterministic = True


prepare()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import CudnnSearch
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def fast_and_repeatable(code: Code) -> Hits:
    for benchmark in code.switched_on("torch.backends.cudnn.benchmark"):
        if not code.asks_for_repetition(benchmark):
            continue
        fix = Fix("Do not try out algorithms", (code.replace(benchmark.value, "False"),))
        says = "trying out algorithms undoes `deterministic`: runs differ in their last digits"
        yield code.hit(benchmark, says, fix=fix)


@pitfall.watches("cudnn.search")
def both_are_on(search: CudnnSearch) -> Hits:
    if search.deterministic:
        yield search.hit(
            "cudnn.benchmark and cudnn.deterministic are both on: one undoes the other"
        )


@pitfall.watches("cudnn.search", needs="cuda")
def searched_for_every_shape(search: CudnnSearch) -> Hits:
    if search.on_cuda and search.shapes >= 16:
        says = f"cudnn.benchmark searches anew for each of {search.shapes} shapes of inputs by now"
        yield search.hit(says, shapes=search.shapes)
