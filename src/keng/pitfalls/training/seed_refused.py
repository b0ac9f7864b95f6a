r"""A seed is no whole number that the generator takes.

`torch.manual_seed` takes what `int()` makes a whole number of 64 bits of. None is none: a seed that is off by default wants an `if`. A text comes
from a configuration or from the environment. NumPy's seeds end at 2**32 - 1, and `torch.initial_seed()`, from which workers seed NumPy, is
mostly larger.

Cure: `if seed is not None: torch.manual_seed(seed)`; `np.random.seed(torch.initial_seed() % 2**32)` in a worker.

Bad (no seed):

```python
import torch

options = {"seed": None}
torch.manual_seed(options["seed"])  # seen: `if seed is not None`
```

Bad (a text):

```python
import torch

torch.manual_seed("run-1")  # seen: `'run-1'`
```

Bad (a float):

```python
import torch

generator = torch.Generator().manual_seed(1.5)  # seen: `float`
```

Good:

```python
import torch

seed = None
if seed is not None:
    torch.manual_seed(seed)
generator = torch.Generator().manual_seed(1)
```

Message (NumPy 1.16 to 2, in a worker of a DataLoader; `% 2**32`):

```text
Traceback (most recent call last):
  File "data.py", line 12, in init
    np.random.seed(torch.initial_seed())
  File "numpy/random/mtrand.pyx", line 4853, in numpy.random.mtrand.seed
  File "_legacy_seeding.pyx", line 180, in numpy.random._mt19937.MT19937._legacy_seeding
ValueError: Seed must be between 0 and 2**32 - 1
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

HERE = "torch/random.py", "torch/cuda/random.py"


@pitfall.explains(
    r"int\(\) argument must be .{3,60}, not '(?P<came>\w{1,60})'",
    r"invalid literal for int\(\) with base 10: (?P<text>'[^']{0,60}')",
    r"manual_seed expected a long, but got (?P<came>\w{1,60})",
    odds=0.96,
)
def no_whole_number(failure: Failure) -> Hits:
    came = failure.groups.get("came") or failure.groups["text"]
    if "manual_seed" not in failure.message and not failure.raised_in.endswith(HERE):
        return  # said of every int()
    if came == "NoneType":
        yield failure.hit("there is no seed: if seed is not None: torch.manual_seed(seed)")
    else:
        yield failure.hit(f"a seed is a whole number, and {came} is none")


@pitfall.explains(r"Seed must be between 0 and 2\*\*32 - 1", odds=0.96)
def too_large_for_numpy(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit("torch's seeds have 64 bits, NumPy's 32: torch.initial_seed() % 2**32")
