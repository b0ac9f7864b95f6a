r"""A file wants more of `torch.load` than plain loading does.

With `weights_only=True`, the default since 2.6, `torch.load` makes tensors and plain data. Functions of modules that reach the system, as `os` or `subprocess`,
are blocked whatever is allowed: a checkpoint that names one is no accident. An object whose class is allowed may hold others that are not. Distributed and nested tensors
are made by modules that the program must have imported. Another pickle module, and an environment variable that says the contrary of another, are refused too.

Cure: `keng ckpt scan FILE` says what a file would call, and one that calls the system is not loaded; `add_safe_globals` for each class that is named; `import torch.distributed.tensor`
before distributed tensors are read; `weights_only=False` where a pickle module is meant.

Bad (a file that would call the system):

```python
import io
import os

import torch


class Greeting:
    def __reduce__(self):
        return os.getpid, ()


file = io.BytesIO()
torch.save({"greeting": Greeting()}, file)
file.seek(0)
state = torch.load(file)  # seen: `scan`
```

Bad (another pickle module):

```python
import io
import pickle

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
state = torch.load(file, weights_only=True, pickle_module=pickle)  # seen: `pickle_module`
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
state = torch.load(file, weights_only=True)
```

Message (torch 2.6 to 2.13; `mypkg.Settings`):

```text
_pickle.UnpicklingError: Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file from a trusted source.
 Please file an issue with the following so that we can make `weights_only=True` compatible with your use case: WeightsUnpickler error: Can only build Tensor, Parameter, OrderedDict or types allowlisted via `add_safe_globals`, but got <class 'mypkg.Settings'>
```

Message (torch 2.6 to 2.13; `import torch.distributed.tensor`):

```text
_pickle.UnpicklingError: Weights only load failed. WeightsUnpickler error: ``torch.distributed.tensor`` must be imported to load DTensors
```

Message (torch 2.6 to 2.13; `leave one`):

```text
RuntimeError: Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be set, but both were set.
```

Message (torch 2.6 to 2.13; `runs whatever`):

```text
UserWarning: Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` argument was not explicitly passed to `torch.load`, forcing weights_only=False.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Trying to load unsupported GLOBAL (?P<name>[\w.]{1,120}) whose module \S{1,80} is blocked",
    odds=0.97,
)
def reaches_the_system(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file would call `{failure.groups['name']}` as it is read, which no weights need: do not load it; `keng ckpt scan` says what it does"
    )


@pitfall.explains(
    r"Can only (?:build|create new object) .{3,100}? allowlisted via `add_safe_globals`,? but got (?:<class ')?(?P<name>[\w.]{1,120})",
    odds=0.97,
)
def not_allowed_itself(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file makes a `{failure.groups['name']}`, which is not among the classes allowed: safe_globals for it too, or plain data"
    )


@pitfall.explains(r"``(?P<module>[\w.]{5,60})``.{0,30}? must be imported to load", odds=0.97)
def not_imported(failure: Failure) -> Hits:
    module = failure.groups["module"]
    yield failure.hit(
        f"the file holds tensors that `{module}` makes, and the program has not imported it: import {module} before torch.load"
    )


pitfall.answers(
    {
        "an not safely load weights when explicit pickle_module": "plain loading has its own reader: without pickle_module, or with weights_only=False for a file that is trusted",
        "pickle_load_args only works if `weights_only=False`": "plain loading has its own reader, which takes no arguments of pickle's: leave them out",
        "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD`": "two environment variables say the contrary of each other: leave one",
        "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected": "an environment variable turns plain loading off, and torch.load runs whatever a file says: unset it, and "
        "weights_only=False at the one call that needs it",
    },
    odds=0.96,
)
