r"""TorchScript finds two types where a program has one.

`torch.jit.script` gives each name and each argument one type before anything runs. An argument without a note is a Tensor; one that may be None is `Optional[...]`, and can be used
as what it is only after an `if` or `assert` that rules None out; a function returns one type on all ways through; an empty list holds tensors.

Cure: annotate (`n: int`, `y: Optional[int] = None`, `sizes: List[int] = []`); `assert x is not None` before its use; one type behind every `return`; `x.unbind(0)` to take a tensor apart.

Bad (it may be None):

```python
from typing import Optional

import torch


@torch.jit.script  # seen: `assert`
def shifted(x: torch.Tensor, bias: Optional[torch.Tensor]):
    return bias + x
```

Bad (not annotated):

```python
import torch


def repeat(x, times):
    return x.repeat([times])


scripted = torch.jit.script(repeat)  # seen: `times: int`
```

Bad (two types come back):

```python
import torch


@torch.jit.script  # seen: `int`
def first(x: torch.Tensor, wanted: bool):
    if wanted:
        return x
    return 0
```

Bad (a tensor taken apart):

```python
import torch


@torch.jit.script  # seen: `unbind`
def halves(x: torch.Tensor):
    a, b = x
    return a - b
```

Good:

```python
from typing import Optional

import torch


def shifted(x: torch.Tensor, bias: Optional[torch.Tensor], times: int):
    if bias is not None:
        x = bias + x
    a, b = x.unbind(0)
    return (a - b).repeat(times)


y = shifted(torch.ones(2, 2), None, 3)
```

Message (torch 1.5 to 2.13; `Optional[int] = None`):

```text
RuntimeError: Expected a default value of type int on parameter "y".:
```

Message (torch 1.5 to 2.13; `one kind`):

```text
RuntimeError: Could not unify type list since element 1 of type int did not match the types before it (str)
```

Message (torch 1.5 to 2.13; `x.size()`):

```text
RuntimeError: builtin cannot be used as a value:
```

Message (torch 1.5 to 2.13; `wants int`):

```text
RuntimeError: Arguments for call are not valid.
The following variants are available:

  aten::__getitem__.t(t[](a) list, int idx) -> t(*):
  Expected a value of type 'int' for argument 'idx' but instead found type 'str'.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:^|Error: )\s?Arguments for call are not valid\.(?:.{0,2000}?Expected a value of type '(?P<wants>[^']{1,80})' for argument '(?P<name>[\w<>]{1,60})'"
    r" but instead found type '(?P<came>[^']{1,80})')?",
    odds=0.93,
)
def call_does_not_fit(failure: Failure) -> Hits:
    wants, name, came = (failure.groups[each] for each in ("wants", "name", "came"))
    if came and "Tensor" in came and "Tensor" not in wants:
        says = f"`{name}` wants {wants} and gets {came}, as an argument without a type is a Tensor: `times: int`, or int(x)"
    elif came and came.startswith(("Optional[", "NoneType")):
        says = f"what is given for `{name}` may be None: `assert x is not None`, or an `if` around it, before its use"
    elif came:
        says = f"`{name}` of a function that is called wants {wants}, and gets {came}: convert it, or annotate where it comes from"
    else:
        says = "a function is called with arguments of other types than it has: annotate them"
    yield failure.hit(says)


@pitfall.explains(
    r"Previous return statement returned a value of type (?P<first>\S{1,60}) but this return statement returns a value of type (?P<then>[^\s:]{1,60})",
    odds=0.96,
)
def two_kinds_of_results(failure: Failure) -> Hits:
    first, then = failure.groups["first"], failure.groups["then"]
    yield failure.hit(
        f"one return gives {first} and another {then}: the same type on all ways, or -> Optional[...] and None"
    )


@pitfall.explains(r"(?P<kind>\w{1,40})(?: \(inferred\))? cannot be used as a tuple", odds=0.96)
def taken_apart(failure: Failure) -> Hits:
    yield failure.hit(
        f"`a, b = x` takes a tuple apart, and x is a {failure.groups['kind']}: x.unbind(0), or x[0] and x[1]"
    )


@pitfall.explains(
    r"Expected a default value of type (?P<kind>\S{1,60}) on parameter \"(?P<name>\w{1,60})\"",
    odds=0.96,
)
def default_of_another_type(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        f"`{name}` is declared {kind} and has a default of another type: `{name}: Optional[{kind}] = None`, or a default that is one"
    )


pitfall.answers(
    {
        "Could not unify type list since element": "the values of an Enum or the items of a list are of several types: TorchScript takes one kind",
        "builtin cannot be used as a value": "a method is named and not called: x.size() and not x.size",
    },
    odds=0.95,
)
