r"""A scripted function or an operator is called otherwise than its signature says.

TorchScript fixes a signature when it compiles: how many arguments there are and of which types, and an argument without a note is a Tensor. Operators
of `torch.ops` have one too. The number that the message tells counts `self`. A list of numbers, `None` or an `int` where a tensor is declared is refused, and so is a
tensor in place of a number.

Cure: compare the call with the `Declaration` in the message; annotate the function, as `x: List[int]` or `mask: Optional[Tensor] = None`, and compile again; turn what is
given into a tensor by `torch.tensor(...)`.

Bad (too many):

```python
import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
y = layer(torch.ones(1, 2), torch.ones(1))  # seen: `forward` takes 1 argument
```

Bad (one is missing):

```python
import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
y = layer()  # seen: `input`
```

Bad (of another type):

```python
import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
y = layer([1.0, 2.0])  # seen: `input` is a list, and Tensor is declared
```

Good:

```python
import torch
from torch import nn

layer = torch.export.export(nn.Linear(2, 2), (torch.ones(2),)).module()
y = layer(torch.tensor([1.0, 2.0]))
```

Message (torch 1.4, of an extension that is compiled at its import; `row`):

```text
RuntimeError:

__init__(__torch__.torch_sparse.storage.SparseStorage self, Tensor? row, Tensor? rowptr) -> (None):
Expected a value of type 'Optional[Tensor]' for argument 'row' but instead found type 'int'.
```

Bad (of a name that it does not have):

```python
import torch


@torch.jit.script  # seen: `rounding`
def half(x):
    return torch.div(x, 2, rounding="floor")
```

Message (torch 1.9 and before, code for 1.10; `torch 1.10`):

```text
RuntimeError:

aten::meshgrid(Tensor[] tensors) -> (Tensor[]):
Keyword argument indexing unknown.
:
  File "/home/u/rays.py", line 36

    ii, jj = torch.meshgrid(
             ~~~~~~~~~~~~~~ <--- HERE
```

Message (torch 1.0 to 1.1; `x`):

```text
RuntimeError: hi() expected value of type Tensor for argument 'x' in position 0, but instead got value of type int.
Declaration: hi(Tensor x) ->  (argumentToIValue at /pytorch/torch/csrc/jit/pybind_utils.h:158)
```

Message (torch 1.2 to 1.4, while it is compiled; `input`):

```text
RuntimeError:
forward(__torch__.torch.nn.quantized.modules.activation.ReLU self, Tensor input) -> (Tensor):
Expected a value of type 'Tensor' for argument 'input' but instead found type 'int'.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CAME = {"meshgrid indexing": "1.10", "div rounding_mode": "1.8", "gelu approximate": "1.12"}
"""Arguments of operators, and the first torch that has them."""


@pitfall.explains(
    r"(?P<name>[\w:.]{1,80})\(\) expected at most (?P<most>\d+) argument\(s\) but received (?P<got>\d+) argument\(s\)"
    r"(?:\. Declaration: [\w:.]+\((?P<own>\S{1,200} self)?)?",
    odds=0.96,
)
def too_many(failure: Failure) -> Hits:
    name, own = failure.groups["name"], bool(failure.groups["own"])
    most, got = (int(failure.groups[each]) - own for each in ("most", "got"))
    yield failure.hit(
        f"`{name}` takes {most} argument{'s' if most != 1 else ''} as compiled, and gets {got}: see its Declaration; one of a package is of another version than its caller"
    )


@pitfall.explains(
    r"(?P<name>[\w:.]{1,80})\(\) is missing value for argument '(?P<argument>\w{1,60})'", odds=0.96
)
def too_few(failure: Failure) -> Hits:
    name, argument = failure.groups["name"], failure.groups["argument"]
    yield failure.hit(
        f"`{name}` as compiled wants `{argument}` too: give it, or give it a default value and compile again"
    )


@pitfall.explains(
    r"(?:^|\(\) |\(None\): )Expected a value of type '(?P<wants>[^']{1,120})' for argument '(?P<argument>\w{1,60})' but "
    r"instead found type '(?P<gets>[^']{1,120})'",
    r" -> \([^()]{1,120}\):\sExpected a value of type '(?P<wants>[^']{1,120})' for argument '(?P<argument>\w{1,60})' but "
    r"instead found type '(?P<gets>[^']{1,120})'",
    r"expected value of type (?P<wants>\S{1,120}) for argument '(?P<argument>\w{1,60})' in position \d+, but instead got value of type (?P<gets>\w{1,80})",
    odds=0.96,
)
def of_another_type(failure: Failure) -> Hits:
    argument, gets, wants = (failure.groups[each] for each in ("argument", "gets", "wants"))
    yield failure.hit(
        f"`{argument}` is a {gets.partition(' ')[0]}, and {wants.partition(' ')[0]} is declared: convert it, or annotate the argument and compile "
        "again"
    )


@pitfall.explains(
    r"\b(?P<name>[A-Za-z_][\w:.]{0,80})\(.{0,400}?\) -> [^:]{1,80}:\s{1,4}Keyword argument (?P<argument>\w{1,60}) unknown",
    odds=0.95,
)
def no_such_keyword(failure: Failure) -> Hits:
    space, _, operator = failure.groups["name"].rpartition("::")
    argument, plain = failure.groups["argument"], operator.partition(".")[0]
    if re.search(rf"[\w\])?] {argument}(?=[=,)])", failure.message):
        return  # another variant has it, and gets another type
    came = CAME.get(f"{plain} {argument}") if space else None
    named = f"torch.{plain}" if space == "aten" else f"`{operator}` as compiled"
    why = f"it came with torch {came}" if came else "see its signature in the message"
    yield failure.hit(f"`{argument}` is no argument of {named} here: {why}")
