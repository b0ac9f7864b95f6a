r"""`torch.compile` does not work with this Python or system.

Dynamo reads the bytecode of Python and has to learn each version: 3.11 since PyTorch 2.1, 3.12 since 2.4, 3.13 since
2.6, 3.14 since 2.10. Windows is supported since 2.6 or so, with a C++ compiler at hand.

Cure: a PyTorch that knows this Python, or an older Python; without compiling, `torch.compile(..., disable=True)` or
`TORCHDYNAMO_DISABLE=1`.

Bad:

```python
import torch

compiled = torch.compile(lambda x: x + 1)
```

Good:

```python
import torch

compiled = torch.compile(lambda x: x + 1, disable=True)
y = compiled(torch.ones(2))
```

Message (torch 2.0):

```text
RuntimeError: Python 3.11+ not yet supported for torch.compile
```

Message (torch 2.1 to 2.3; `3.12+`):

```text
RuntimeError: Dynamo is not supported on Python 3.12+
```

Message (torch 2.0 to 2.3; `Windows`):

```text
RuntimeError: Windows not yet supported for torch.compile
```

Message (torch 2.1 to 2.4; `mps`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
AssertionError: Device mps not supported
```

Message (torch 2.10 to 2.13; `the model`):

```text
RuntimeError: torch.compile does not support compiling torch.jit.script or torch.jit.freeze models directly.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="another Python")


@pitfall.explains(
    r"(?:Dynamo|torch\.compile) is not supported on (?P<where>Python [\d.]+\+?|Python (?:< [\d.]+ )?built with GIL disabled)",
    r"(?P<where>Python [\d.]+\+|Windows) not yet supported for torch\.compile",
    odds=0.97,
)
def not_here(failure: Failure) -> Hits:
    where = failure.groups["where"]
    cure = "a newer PyTorch, an older Python" if where.startswith("Python") else "a newer PyTorch"
    yield failure.hit(
        f"this PyTorch does not compile under {where}: {cure}, or without torch.compile"
    )


@pitfall.explains(r"AssertionError: Device (?P<device>\w+) not supported", odds=0.97)
def not_on_this_device(failure: Failure) -> Hits:
    yield failure.hit(
        f"inductor of this PyTorch makes no code for {failure.groups['device']}: a newer PyTorch, or backend='aot_eager'"
    )


pitfall.answers(
    {
        "does not support compiling torch.jit.script": "a scripted model is compiled already in its own way: torch.compile of the model before torch.jit.script",
    },
    odds=0.95,
)
