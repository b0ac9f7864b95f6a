r"""PyTorch, or another package, was built for another NumPy.

Packages compiled against NumPy 1 do not work with NumPy 2. PyTorch before 2.3 is one of them: it starts
with a warning, and then has no NumPy at all, so `.numpy()`, `from_numpy` and a DataLoader over arrays
fail. The other way round, an extension built for a newer NumPy finds another size of its types.

Cure: `pip install "numpy<2"` beside PyTorch before 2.3, or update PyTorch; where another package is
named, update or rebuild that one.

Bad:

```python
import torch

x = torch.ones(3).numpy()  # seen: fails where NumPy does not fit
```

Good:

```python
import torch

x = torch.ones(3).numpy()
```

Message (torch 2.2, NumPy 2; `numpy<2`):

```text
RuntimeError: Numpy is not available
```

Message (torch 2.2, the warning before it):

```text
A module that was compiled using NumPy 1.x cannot be run in
NumPy 2.1.0 as it may crash. To support both 1.x and 2.x
versions of NumPy, modules must be compiled with NumPy 2.0.
```

Message (torch 2.2, a number of NumPy's):

```text
RuntimeError: Could not infer dtype of numpy.float32
```

Message (an extension for a newer NumPy):

```text
ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject
```

Message (torch 1.13, an extension for a newer NumPy):

```text
RuntimeError: module compiled against API version 0x10 but this version of numpy is 0xe
```

Message (torch 2.2, at import):

```text
/home/u/train.py:1: UserWarning: Failed to initialize NumPy: _ARRAY_API not found (Triggered internally at ../torch/csrc/utils/tensor_numpy.cpp:84.)
  import torch
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="NumPy that does not fit")


@pitfall.explains(
    r"Numpy is not available",
    r"compiled using NumPy 1\.x cannot be run in\s{1,9}NumPy (?P<numpy>[\d.]+)",
    r"Failed to initialize NumPy",
    r"Could not infer dtype of numpy\.\w+",
    odds=0.93,
)
def torch_for_the_older(failure: Failure) -> Hits:
    yield failure.hit(
        "this PyTorch was built for NumPy 1 and meets NumPy 2: `numpy<2`, or PyTorch 2.3 and later"
    )


@pitfall.explains(
    r"numpy\.(?P<what>dtype|ufunc|ndarray) size changed, may indicate binary incompatibility",
    r"module compiled against (?:ABI|API) version 0x\w+ but this version of numpy is 0x\w+",
    odds=0.9,
)
def another_package(failure: Failure) -> Hits:
    lib = next((f.path for f in reversed(failure.frames) if not f.user), "")
    name = lib.rpartition("-packages/")[2].split("/")[0]
    yield failure.hit(
        f"{f'`{name}`' if name else 'a package'} was built for another NumPy: reinstall it"
    )
