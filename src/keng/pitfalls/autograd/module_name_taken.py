r"""A name is given to a part of a module that it cannot have.

Parameters, buffers and submodules become attributes of their module and keys of its state dict, in which the dot separates the levels. So a name is
no empty text, holds no dot, and is not that of something the module has: its own attributes and methods count
(`keys`, `forward`, `train`, `type`), and those of `nn.ModuleDict` too.

Cure: `name.replace(".", "_")` for names that come from elsewhere; another name, or `del self.name` before the part is registered anew.

Bad (a dot):

```python
from torch import nn

heads = nn.ModuleDict({"v1.0": nn.Linear(2, 2)})  # seen: `v1.0`
```

Bad (a method's name):

```python
from torch import nn

heads = nn.ModuleDict({"type": nn.Linear(2, 2)})  # seen: `type`
```

Good:

```python
from torch import nn

heads = nn.ModuleDict({"v1_0": nn.Linear(2, 2), "kind": nn.Linear(2, 2)})
```

Message (torch 2.13; `parameter`):

```text
KeyError: 'parameter name can\'t contain "."'
```

Message (torch 2.13; `module`):

```text
KeyError: 'module name can\'t be empty string ""'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<what>module|parameter|buffer) name can\\?'t contain \"\.\"(?:, got: (?P<name>[\w.-]{1,80}))?",
    odds=0.97,
)
def with_a_dot(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    which = f" `{name}`" if name else ""
    yield failure.hit(f"the {what} name{which} has a dot, which separates levels: replace it")


@pitfall.explains(r"attribute '(?P<name>[\w.]{1,80})' already exists", odds=0.9)
def there_already(failure: Failure) -> Hits:
    if failure.kind == "KeyError":
        name = failure.groups["name"]
        yield failure.hit(
            f"the module has `{name}` already, its own attribute or method: another name"
        )


@pitfall.explains(r"(?P<what>module|parameter|buffer) name can\\?'t be empty string", odds=0.97)
def without_a_name(failure: Failure) -> Hits:
    yield failure.hit(f"the name of a {failure.groups['what']} is empty")
