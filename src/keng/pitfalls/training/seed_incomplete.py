r"""A seed is set for PyTorch, and random numbers come from elsewhere too, or the other way round.

`torch.manual_seed` seeds PyTorch on the CPU and on all cards. NumPy and Python have generators of their
own, and what these draw, a split, an augmentation, a shuffle, is another at each run. Nor do their seeds
reach PyTorch: weights, dropout and the order of a loader differ then.

Cure: seed all that are used: `random.seed(s)`, `np.random.seed(s)`, `torch.manual_seed(s)`. To repeat a
run to the last bit, `torch.use_deterministic_algorithms(True)` and `torch.backends.cudnn.benchmark =
False` as well, and for loaders with workers a `generator`.

Bad:

```python
import random

import torch

torch.manual_seed(0)
state = random.getstate()
files = list(range(100))
random.shuffle(files)  # here: another order in each run
```

Proof:

```python
again = list(range(100))
torch.manual_seed(0)
random.shuffle(again)
assert again != files
```

Bad (NumPy):

```python
import numpy as np
import torch

torch.manual_seed(0)
order = np.random.permutation(100)  # here: another order in each run
```

Proof:

```python
torch.manual_seed(0)
assert (np.random.permutation(100) != order).any()
```

Bad (all but PyTorch):

```python
import random

import numpy as np
import torch
from torch import nn


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)  # here: the weights below are others in each run


def trained():
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(5):
        optimizer.zero_grad()
        model(torch.ones(2, 4)).square().mean().backward()
        optimizer.step()
    return model.weight.detach()


set_seed(0)
weights = trained()
```

Proof:

```python
set_seed(0)
assert not torch.equal(trained(), weights)
```

Good:

```python
import random

import numpy as np
import torch

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
files = list(range(100))
random.shuffle(files)
order = np.random.permutation(100)
```

Fine (generators with seeds of their own; no seed at all for PyTorch's):

```python
import random

import numpy as np
import torch

torch.manual_seed(0)
own = random.Random(0)
files = list(range(100))
own.shuffle(files)
order = np.random.default_rng(0).permutation(100)
```

Fine (PyTorch has its seed elsewhere; the order of data alone is to be repeated):

```python
import random

import numpy as np
import torch
from torch import nn


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.random.manual_seed(seed)


def sampled(count):
    np.random.seed(7)
    return np.random.permutation(count)


set_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for row in sampled(5):
    optimizer.zero_grad()
    model(torch.full((2, 4), float(row))).square().mean().backward()
    optimizer.step()
```

Fine (a program that is not to be repeated):

```python
import random

import torch

files = list(range(100))
random.shuffle(files)
x = torch.rand(3)
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import UnseededDraw
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")

DRAWS = {
    "random": "random randint randrange choice choices sample shuffle uniform gauss normalvariate",
    "numpy.random": "rand randn randint random choice permutation shuffle uniform normal",
}
SEEDS_OF_TORCH = tuple(
    f"torch.{name}"
    for name in "manual_seed random.manual_seed seed set_rng_state random.set_rng_state cuda.manual_seed cuda.manual_seed_all".split()
)
SEEDS = {
    "random": ("random.seed",),
    "numpy.random": ("numpy.random.seed", "numpy.random.set_state"),
}


@pitfall.finds
def drawn_without_a_seed(code: Code) -> Hits:
    seeded = any(code.calls_to("torch.manual_seed", "torch.random.manual_seed"))
    if not seeded or code.seeds_by_name():
        return
    for home, names in DRAWS.items():
        if any(code.calls_to(*SEEDS[home])):
            continue
        draws = code.calls_to(*(f"{home}.{name}" for name in names.split()))
        for call in sorted(draws, key=code.position)[:1]:
            name = code.text_of(call.func)
            yield code.hit(call, f"`{name}` does not follow `torch.manual_seed`: seed `{home}` too")


@pitfall.finds
def all_but_torch(code: Code) -> Hits:
    others = code.seeds_by_name("random.seed", "numpy.random.seed")
    if others or not code.training_loops or any(code.calls_to(*SEEDS_OF_TORCH)):
        return
    pythons = {code.function_around(call) for call in code.calls_to("random.seed")}
    for call in code.calls_to("numpy.random.seed"):
        if code.function_around(call) in pythons:
            says = "no seed reaches the weights, dropout and the loader's order: `torch.manual_seed` too"
            yield code.hit(call, says)


@pitfall.watches("random.unseeded")
def drawn_from_elsewhere(draw: UnseededDraw) -> Hits:
    says = (
        f"`{draw.home}.{draw.function}` does not follow `torch.manual_seed`: seed `{draw.home}` too"
    )
    yield draw.hit(says)
