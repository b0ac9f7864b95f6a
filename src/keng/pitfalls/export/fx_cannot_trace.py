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

Message (torch 1.8 to 2.13; `register`):

```text
NameError: module is not installed as a submodule
```

Message (torch 1.8 to 2.13; `nn.Parameter`):

```text
NameError: parameter is not a member of this module
```

Message (torch 1.8 to 2.13; `torch.fx.wrap`):

```text
NotImplementedError: wrap must be called at the top level of a module
```

Message (torch 1.8 to 2.13; `concrete_args`):

```text
RuntimeError: Tracing expected 2 arguments but got 4 concrete arguments
```

Message (torch 1.8 to 2.13; `def forward(self`):

```text
RuntimeError: ``self`` argument cannot be part of *args expansion!
```

Message (torch 1.8 to 2.13; `int(x)`):

```text
TypeError: int() argument must be a string, a bytes-like object or a real number, not 'Proxy'
```

Message (torch 1.8 to 2.13; `range(x)`):

```text
TypeError: 'Proxy' object cannot be interpreted as an integer
```

Message (torch 1.12 to 2.13, make_fx; `'symbolic'`):

```text
RuntimeError: It appears that you're trying to get value out of a tracing tensor with aten._local_scalar_dense.default - erroring out! It's likely that this is caused by data-dependent control flow or similar.  It may be possible to trace this with dynamic shapes; try setting tracing_mode='symbolic' in your make_fx call.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"symbolically traced variables cannot be used as inputs to control flow", odds=0.97
)
def branches(failure: Failure) -> Hits:
    yield failure.hit(
        "an `if` or `while` on a tensor, or on its size, cannot be traced: torch.where, concrete_args={'flag': True} for a flag, or a leaf module"
    )


@pitfall.explains(r"Proxy object cannot be iterated", odds=0.97)
def goes_through(failure: Failure) -> Hits:
    yield failure.hit(
        "a loop over a tensor or its shape, or `*x` in a call, cannot be traced: each by its index, x.shape[0], or a wrapped function"
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


@pitfall.explains(
    r"Tracing expected (?P<wants>\d+) arguments but got (?P<got>\d+) concrete arguments", odds=0.97
)
def more_that_are_fixed(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(
        f"concrete_args holds {got} values for {wants} arguments: a dict by name, concrete_args={{'flag': True}}"
    )


NUMBER = "a stand-in has no value to make a number of, for int(x), range(x) or an index: torch.fx.wrap around it, or concrete_args"
pitfall.answers(
    {
        "not 'Proxy'": NUMBER,
        "'Proxy' object cannot be interpreted as an integer": NUMBER,
        "module is not installed as a submodule": "forward calls a layer that the model does not hold: register it as self.layer = ... in __init__",
        "parameter is not a member of this module": "forward uses a parameter that the model does not hold: self.weight = nn.Parameter(...) in __init__",
        "wrap must be called at the top level of a module": "torch.fx.wrap stands at the left margin of a file, beside the def, and in no function",
        "``self`` argument cannot be part of *args": "forward is written without self: def forward(self, x)",
        "trying to get value out of a tracing tensor": "a number of a tensor decides something while it is traced: torch.where, or tracing_mode='symbolic'",
    },
    odds=0.95,
)
