r"""`torch.fx` meets what it cannot record.

`torch.fx.symbolic_trace` runs the program once with stand-ins for tensors, which have no values, no length and no items to go through: an `if` on a tensor,
a loop over one and `len(x)` stop it. Quantization in graph mode and the feature extractors of torchvision trace in this way too.

Cure: `torch.where` for a branch; `torch.fx.wrap("name")` at module level for a function to be left whole, `concrete_args` for an argument that is no
tensor, a leaf module for the part that branches; `torch.export` follows more.

Bad (a branch):

```python
import torch


def halve(x):
    return x if x.sum() > 0 else x / 2  # seen: `torch.where`


traced = torch.fx.symbolic_trace(halve)
```

Bad (a length):

```python
import torch


def mean(x):
    return x.sum() / len(x)  # seen: `torch.fx.wrap`


traced = torch.fx.symbolic_trace(mean)
```

Good:

```python
import torch


def halve(x):
    return torch.where(x.sum() > 0, x, x / 2) / x.shape[0]


traced = torch.fx.symbolic_trace(halve)
```

Message (torch 2.13; `a loop`):

```text
torch.fx.proxy.TraceError: Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of control flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors
```

Message (torch 2.0 to 2.13; `compiled`):

```text
RuntimeError: Detected that you are using FX to symbolically trace a dynamo-optimized function. This is not supported at the moment.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"symbolically traced variables cannot be used as inputs to control flow", odds=0.97
)
def branches(failure: Failure) -> Hits:
    yield failure.hit(
        "an `if` or `while` on a tensor cannot be traced: torch.where, or a leaf module"
    )


@pitfall.explains(r"Proxy object cannot be iterated", odds=0.97)
def goes_through(failure: Failure) -> Hits:
    yield failure.hit(
        "a loop over a tensor, or `a, b = x`, cannot be traced: index it, or unbind in a wrapped function"
    )


@pitfall.explains(r"'(?P<name>\w+)' is not supported in symbolic tracing by default", odds=0.97)
def function_of_python(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"{name}() of a stand-in is not known: x.shape, or torch.fx.wrap('{name}') at module level"
    )


@pitfall.explains(
    r"using FX to symbolically trace a (?:dynamo-optimized|torch\.compile.{0,3}d?) function",
    odds=0.95,
)
def compiled_before(failure: Failure) -> Hits:
    yield failure.hit(
        "the model is compiled already: trace or export it before torch.compile, or model._orig_mod"
    )
