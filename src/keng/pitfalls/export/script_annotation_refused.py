r"""TorchScript cannot read the type that an annotation names.

`torch.jit.script` reads annotations before it compiles, and knows few types: numbers, texts, Tensor, `List`, `Dict`, `Tuple` and `Optional` of such, enums, classes that it can compile.
A container says what it holds; a tuple how many; a function is no type. A comment `# type: (Tensor, int) -> Tensor` stands in one line right below the `def`. Dataclasses are taken without
`default_factory`, classes without parents.

Cure: `List[int]`, `Dict[str, Tensor]`, `Tuple[int, int]` in place of the bare names; `@torch.jit.ignore` for a function whose arguments are functions or other objects.

Bad (a list of what):

```python
from typing import List

import torch


@torch.jit.script  # seen: `List[Tensor]`
def total(parts: List):
    return parts[0]
```

Bad (a function):

```python
from typing import Callable

import torch


@torch.jit.script  # seen: `Callable`
def apply(x, activation: Callable[[torch.Tensor], torch.Tensor]):
    return activation(x)
```

Bad (a comment that is none):

```python
import torch


@torch.jit.script  # seen: (Tensor, int) -> Tensor
def repeat(x, times):
    # type: Tensor, int -> Tensor
    return x.repeat([times])
```

Bad (a tuple of any length):

```python
from typing import Tuple

import torch


@torch.jit.script  # seen: `Tuple[int, int]`
def reshape(x, sizes: Tuple[int, ...]):
    return x
```

Good:

```python
from typing import List, Tuple

import torch


def total(parts: List[torch.Tensor], sizes: Tuple[int, int]) -> torch.Tensor:
    return parts[0].reshape(sizes)


y = total([torch.ones(4)], (2, 2))
```

Message (torch 1.7 to 2.13; `default_factory`):

```text
NotImplementedError: Default factory initializers are not supported in TorchScript dataclasses
```

Message (torch 1.0 to 2.13; `composition`):

```text
RuntimeError: TorchScript interface does not support inheritance yet. Please directly inherit from 'object' or 'nn.Module'.
```

Message (torch 1.10 to 2.13; `Unknown`):

```text
ValueError: Unknown type annotation: 'Unknown' in NamedTuple Batch. Likely due to partial support for ForwardRef parameters in NamedTuples, see #95858. Issue occurred at
```

Message (torch 1.7 to 2.13; `class body`):

```text
UserWarning: The TorchScript type system doesn't support instance-level annotations on empty non-base types in `__init__`. Instead, either 1) use a type annotation in the class body, or 2) wrap the type in `torch.jit.Attribute`.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Attempted to use (?P<name>\w{2,20}) without (?:a )?contained types?\. Please add", odds=0.97
)
def container_of_what(failure: Failure) -> Hits:
    name = failure.groups["name"]
    holds = {"Dict": "str, Tensor", "Tuple": "Tensor, int"}.get(name, "Tensor")
    yield failure.hit(f"`{name}` does not say what it holds: `{name}[{holds}]`, or what it is")


@pitfall.explains(
    r"Unknown type constructor (?P<name>[\w.]{1,80})",
    r"Unknown type annotation: '(?P<name>[^'\n]{1,120})'",
    odds=0.95,
)
def no_type_of_its(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is no type of TorchScript: another one, or @torch.jit.ignore for the function that takes it"
    )


@pitfall.explains(
    r"\bexpected (?:\(|\)|->|ident) but found '\w{1,20}' here:\s?# type:|"
    r"Return type line '# type: .{0,20}' not found on multiline|"
    r"Failed to parse the (?:argument list|return type) of a type annotation|"
    r"Syntax error in type annotation \(couldn't find",
    odds=0.95,
)
def comment_of_another_form(failure: Failure) -> Hits:
    yield failure.hit(
        "a comment of types is one line right below the def: # type: (Tensor, int) -> Tensor; or annotations in its place"
    )


FACTORY = "TorchScript makes a dataclass without default_factory: give the list at each call, or in __init__ of a plain class"
pitfall.answers(
    {
        "Expression of type dots cannot be used in a type": "a tuple of any length is no type of TorchScript: `Tuple[int, int]`, or List[int]",
        "Default factory initializers are not supported in TorchScript": FACTORY,
        "TorchScript interface does not support inheritance": "an interface of TorchScript has no parents: composition, or all in one",
        "TorchScript classes does not support inheritance": "a class that is compiled has no parents: composition, or all in one",
        "second argument to `torch.jit.isinstance` must be a type": "torch.jit.isinstance takes a type, as List[str], and not its name",
        "support instance-level annotations on empty non-base types": "an empty list or dict gets its type in the class body, `names: List[str]` below the class line",
    },
    odds=0.95,
)
