r"""A module, or a class made from one of a library, does not call the constructor of its parent.

`nn.Module.__init__` makes the registers in which parameters, buffers and submodules are kept. Without
it, or before it, an assignment such as `self.fc = nn.Linear(8, 3)` has no register to go to and raises
an error; a class that assigns neither fails later, when it is called, moved or asked for its parameters. A data module of Lightning, a data set of PyTorch Geometric, a metric and a
Trainer keep what they work with in the same way; a dataclass makes an `__init__` of its own, which calls no parent's.

Cure: `super().__init__()` as the first line of `__init__`, in a dataclass in `__post_init__`.

Bad:

```python
from torch import nn


class Net(nn.Module):
    def __init__(self):  # here: super().__init__() is missing
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


net = Net()
```

Bad (nothing that is registered, at first):

```python
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, by):  # here: super().__init__() is missing
        self.by = by

    def forward(self, x):
        return self.by * x


scale = Scale(2.0)
scale.to(torch.float64)
```

Bad (too late):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        self.weight = nn.Parameter(torch.ones(3))  # here: before super().__init__()
        super().__init__()


net = Net()
```

Bad (too late, as it was written in Python 2):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        self.out = nn.Linear(4, 1)  # here: there is no place for it yet
        super(Net, self).__init__()


Net()
```

Bad (a buffer):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):  # here: super().__init__() is missing
        self.register_buffer("mean", torch.zeros(3))


net = Net()
```

Good:

```python
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


net = Net()
```

Fine (other ways to call it, plain attributes before it, and a class that is no module):

```python
import torch
from torch import nn


class Old(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.fc = nn.Linear(8, 3)


class Older(nn.Module):
    def __init__(self, size):
        self.size = size
        super(Older, self).__init__()
        self.fc = nn.Linear(size, 3)


class Inherits(Older):
    def __init__(self):
        self._build()

    def _build(self):
        super().__init__(8)


class Trainer:
    def __init__(self):
        self.net = nn.Linear(8, 3)


class Stateless(nn.Module):
    def forward(self, x):
        return x


Old(), Older(8), Inherits(), Trainer(), Stateless()
```

Message (torch 1.0 to 2.13, another class's name, or a cell that was run again; `PNet`):

```text
  File "detector.py", line 25, in detect_faces
    pnet = PNet()
  File "get_nets.py", line 31, in __init__
    super(PNet, self).__init__()
TypeError: super(type, obj): obj must be an instance or subtype of type
```

Message (torch 2.13, a model that is moved):

```text
AttributeError: 'Net' object has no attribute '_modules'
```

Message (torch 1.2 to 2.13, at torch.jit.script):

```text
RuntimeError: '__main__.Net' has not been initialized, did you forget to call 'super()'?
```

Message (Lightning 2.6; `LightningDataModule`):

```text
AttributeError: 'ShapesData' object has no attribute 'allow_zero_length_dataloader_with_multiple_devices'
```

Message (Lightning 1.5 to 2.3; `LightningDataModule`):

```text
AttributeError: 'ShapesData' object has no attribute 'prepare_data_per_node'
```

Message (torch-geometric 2.8; `torch_geometric`):

```text
  File "/env/lib/python3.11/site-packages/torch_geometric/data/dataset.py", line 304, in __len__
    return len(self.indices())
AttributeError: 'Molecules' object has no attribute '_indices'
```

Message (torchmetrics 1.9; `torchmetrics`):

```text
  File "/env/lib/python3.11/site-packages/torchmetrics/metric.py", line 277, in add_state
    self._defaults[name] = deepcopy(default)
AttributeError: 'Hits' object has no attribute '_defaults'
```

Message (transformers 5.24; `Trainer`):

```text
AttributeError: 'WeightedTrainer' object has no attribute '_memory_tracker'
```
"""

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

PARENTS_OF = re.compile(
    r"super\((\w*(?:Net|CNN|Module|Model|Layer|Block|Conv|Encoder|Decoder|Loss|Attention)\w*), self\)\.__init__"
)
REGISTERS = r"_parameters|_buffers|_modules|_forward(?:_pre)?_hooks|_backward_hooks"


@pitfall.finds(fixes=True)
def constructor_without_its_parents(code: Code) -> Hits:
    for owner in code.of(ast.ClassDef):
        bases = [code.resolve(base) for base in owner.bases]
        init = code.member(owner, ["__init__"])
        if bases != ["torch.nn.Module"] or not isinstance(init, ast.FunctionDef):
            continue
        if code.calls_parents_init(owner) or code.always_raises(init):
            continue
        edit = code.first_line_in(init, "super().__init__()")
        fix = Fix("Call super().__init__() first", (edit,), "safe") if edit else None
        yield code.hit(init, f"`{owner.name}` never calls the constructor of nn.Module", fix=fix)


@pitfall.finds
def registered_too_early(code: Code) -> Hits:
    for owner in code.of(ast.ClassDef):
        if [code.resolve(base) for base in owner.bases] != ["torch.nn.Module"]:
            continue
        calls = code.calls_parents_init(owner)
        for name, given in code.attributes(owner).items() if len(calls) == 1 else ():
            for value, path in given:
                if path or value is None or code.position(value) > code.position(calls[0]):
                    continue
                same = code.function_around(value) is code.function_around(calls[0])
                if same and code.registered_by_assignment(value):
                    says = f"`self.{name}` is set before the constructor of nn.Module is called"
                    yield code.hit(code.statement(value), says)


@pitfall.explains(
    r"cannot assign (?P<what>module|parameters|parameter|buffer)s? before Module\.__init__\(\) call",
    odds=0.98,
)
def assigned_too_early(failure: Failure) -> Hits:
    set_here = re.search(r"self\.(?:register_\w+\(\s*[\"'])?(\w+)", failure.line)
    name = f"`self.{set_here[1]}`" if set_here else f"a {failure.groups['what'].rstrip('s')}"
    yield failure.hit(
        f"{name} is set before super().__init__() was called: make that the first line, parentheses and all"
    )


@pitfall.explains(
    r"super\(type, obj\): obj (?:\(.{1,80}?\) )?(?:must be|is not) an instance or subtype of type",
    odds=0.88,
)
def of_another_class(failure: Failure) -> Hits:
    if named := PARENTS_OF.search(failure.line or failure.around):
        yield failure.hit(
            f"`{named[1]}` is not the class of what is made, or a notebook has defined it anew since: super().__init__()"
        )


@pitfall.explains(
    rf"'(?P<kind>\w+)' object has no attribute '(?:{REGISTERS})'",
    r"'(?:[\w.<>]{0,120}\.)?(?P<kind>\w+)' has not been initialized, did you forget to call 'super",
    odds=0.9,
)
def never_called(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(f"`{kind}` is a module whose __init__ never calls super().__init__()")


@pitfall.explains(
    r"'(?P<kind>(?!Dataset')\w+)' object has no attribute '(?:(?P<torch_geometric>_indices)|(?P<torchmetrics>_defaults)|(?P<Trainer>_memory_tracker)|"
    r"(?P<LightningDataModule>prepare_data_per_node|allow_zero_length_dataloader_with_multiple_devices))'",
    odds=0.93,
)
def never_called_of_a_library(failure: Failure) -> Hits:
    parent = next(name for name, found in failure.groups.items() if found and name != "kind")
    if not parent.startswith("torch") or failure.shows(parent):
        yield failure.hit(
            f"`{failure.groups['kind']}` never calls super().__init__() ({parent}): the first line of __init__, or of __post_init__ in a dataclass"
        )
