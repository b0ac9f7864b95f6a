r"""A setting of torch is given a word or number that it does not know.

What is set for the whole program takes few words: the precision of float32 products is `highest`, `high` or `medium`, what is done about nondeterminism `default`, `warn` or `error`, tensors go between
processes by `file_descriptor` or `file_system`. The first only warns of another word, and computes as before. `torch._check` takes a condition of Python's, True or False, and no tensor.

Cure: one of the words of the message; `torch.set_float32_matmul_precision("high")` for TF32; `bool(...)` around a number, or `torch._check_tensor_all` for a tensor.

Bad (what has no effect):

```python
import warnings

import torch

warnings.simplefilter("error")
torch.set_float32_matmul_precision("fast")  # seen: as before
```

Bad (a word of another setting):

```python
import torch

torch.set_deterministic_debug_mode("on")  # seen: default, warn, error
```

Bad (between processes):

```python
import torch

torch.multiprocessing.set_sharing_strategy("shared_memory")  # seen: `shared_memory`
```

Bad (a tensor for a condition):

```python
import torch

torch._check(torch.ones(2).sum() > 0)  # seen: `torch._check_tensor_all`
```

Good:

```python
import torch

torch.set_float32_matmul_precision("high")
torch.set_deterministic_debug_mode("default")
torch._check(bool(torch.ones(2).sum() > 0))
```

Message (torch 1.12 to 2.13; `0, 1`):

```text
RuntimeError: invalid value of debug_mode, expected 0, 1, or 2, but got 5
```

Message (torch 2.1 to 2.13; `bool(...)`):

```text
TypeError: cond must be a bool, but got <class 'int'>
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<came>\w{0,40}) is not one of 'highest', 'high', or 'medium'; the current ?set\w+ call has no effect",
    odds=0.97,
)
def computes_as_before(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['came']}` is no precision, and products are computed as before: 'high' for TF32, 'medium' for bfloat16, 'highest' for neither"
    )


@pitfall.explains(
    r"invalid value of debug_mode, expected (?:one of )?(?P<known>[^\n]{3,60}?), but got (?P<came>\w{1,40})",
    r"invalid sharing strategy '?(?P<came>\w{1,40}?)'?, expected one of \{(?P<known>[^}\n]{3,80})\}",
    odds=0.97,
)
def no_such_word(failure: Failure) -> Hits:
    known = failure.groups["known"].replace("`", "").replace("'", "")
    yield failure.hit(f"`{failure.groups['came']}` is no word of this setting, which has {known}")


@pitfall.explains(r"cond must be a bool, but got (?:a (?P<tensor>Tensor)|<class)", odds=0.96)
def no_condition(failure: Failure) -> Hits:
    cure = "bool(...) around it"
    if failure.groups["tensor"]:
        cure = "`torch._check_tensor_all`, or bool(...) around one number"
    yield failure.hit(f"torch._check takes True or False of Python's: {cure}")
