r"""TorchScript meets a value of Python that it cannot take along.

The compiler reads the source of a function and looks up the names in it. Tensors, numbers, functions that it can compile, and modules of torch it knows;
a global dict or object, a class, a function of NumPy it does not. Without the source, as in a program that was frozen into one file, or for a function made by
`exec` or `eval`, there is nothing to read at all.

Cure: hand the value over as an argument, or keep it as an attribute with a type or as `Final`; operations of torch in place of NumPy's; `@torch.jit.ignore` for what stays in
Python; trace instead of script; `.py` files shipped beside a frozen program.

Bad (a global):

```python
import torch

sizes = {"small": 2}


def scale(x):
    return x * sizes["small"]


scripted = torch.jit.script(scale)  # seen: a value of type `dict`
```

Bad (a name that is not there):

```python
import torch


def scale(x):
    return x * factor


scripted = torch.jit.script(scale)  # seen: `factor`
```

Bad (no source):

```python
import torch

scripted = torch.jit.script(eval("lambda x: x * 2"))  # seen: no source
```

Good:

```python
import torch


def scale(x, factor: int):
    return x * factor


compiled = torch.compile(scale, backend="eager")
```

Message (torch 2.13; `O`):

```text
RuntimeError: attribute lookup is not defined on python value of type 'O':
```

Message (torch 1.0 to 1.2; `whatisgoingon`):

```text
RuntimeError:
attribute 'whatisgoingon' of type 'NoneType' is not usable in a script method (did you forget to add it __constants__?):
@torch.jit.script_method
def forward(self, x):
    return x + self.whatisgoingon
               ~~~~~~~~~~~~~~~~~~ <--- HERE
```

Message (torch 1.5 to 2.13; `object`):

```text
RuntimeError: Could not get name of python class object
```

Message (torch 1.5 to 2.13; `before the loop`):

```text
RuntimeError: undefined value y:
  File "/home/u/net.py", line 9
        for i in range(3):
            y = x + i
        return y
               ~ <--- HERE
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"python value of type '(?P<kind>[\w.]{1,80})' cannot be used as a value",
    r"attribute lookup is not defined on python value of type '(?P<kind>[\w.]{1,80})'",
    odds=0.95,
)
def of_python(failure: Failure) -> Hits:
    yield failure.hit(
        f"a value of type `{failure.groups['kind']}` from outside of the function cannot be compiled: an argument, or an attribute with a type"
    )


@pitfall.explains(
    r"\bundefined value (?P<name>\w{1,80}):(?! ?(?:at|Serialized File) \"?code/__torch__)",
    odds=0.95,
)
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if re.search(rf"\b{name} = ", failure.message):
        yield failure.hit(
            f"`{name}` has a value on some ways only: give it one before the loop or branch"
        )
        return
    yield failure.hit(
        f"`{name}` is not known where the function is compiled: import or define it in the same file, or hand it over"
    )


@pitfall.explains(
    r"TorchScript requires source access in order to carry out compilation", odds=0.97
)
def without_source(failure: Failure) -> Hits:
    yield failure.hit(
        "the function has no source that TorchScript could read: a .py file beside the program, not exec or a frozen file; or trace"
    )


@pitfall.explains(
    r"attribute '(?P<name>\w{1,80})' of type '(?P<kind>[\w.]{1,80})' is not usable in a script method",
    odds=0.95,
)
def attribute_without_type(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    yield failure.hit(
        f"`self.{name}`, a {kind}, is not kept by the compiler: annotate it in the class, list it in __constants__, or make it a buffer"
    )


@pitfall.explains(r"Could not get name of python class object", odds=0.93)
def neither_module_nor_function(failure: Failure) -> Hits:
    yield failure.hit(
        "an object of a plain class is neither function nor module: torch.jit takes an nn.Module, or the function itself"
    )
