r"""What is said of the dimensions does not fit the inputs.

`dynamic_shapes` mirrors the inputs of `torch.export.export`: a dict has the names of the arguments of `forward` as keys, and per tensor stands a dict from dimension to `Dim` or a list with
an entry for each dimension. What is no tensor has `None`.

Cure: write the names as `forward` has them, or a tuple in their order; `{0: Dim("batch")}` for one dimension alone; `None` for an argument that does not vary.

Bad (another name):

```python
import torch
from torch import nn

batch = torch.export.Dim("batch")
layer, x = nn.Linear(2, 2), torch.ones(3, 2)
spec = {"x": {0: batch}}
program = torch.export.export(layer, (x,), dynamic_shapes=spec)  # seen: `input`
```

Bad (too few entries):

```python
import torch
from torch import nn

batch = torch.export.Dim("batch")
layer, x = nn.Linear(2, 2), torch.ones(3, 2)
spec = ([batch],)
program = torch.export.export(layer, (x,), dynamic_shapes=spec)  # seen: 2 entries
```

Bad (half of a dimension):

```python
from torch.export import Dim

half = 0.5 * Dim("length")  # seen: `2 * half`
```

Bad (divided):

```python
from torch.export import Dim

half = Dim("length") / 2  # seen: `2 * half`
```

Bad (a number that is not the example's):

```python
import torch
from torch.export import export

layer = torch.nn.Linear(3, 2)
export(layer, (torch.ones(4, 3),), dynamic_shapes=({0: 7},))  # seen: `4`
```

Bad (bounds the wrong way round):

```python
from torch.export import Dim

batch = Dim("batch", min=8, max=4)  # seen: `max`
```

Good:

```python
import torch
from torch import nn

batch = torch.export.Dim("batch")
layer, x = nn.Linear(2, 2), torch.ones(3, 2)
program = torch.export.export(layer, (x,), dynamic_shapes=({0: batch},))
```

Message (torch 2.5 to 2.13; `None`):

```text
torch._dynamo.exc.UserError: Cannot associate shape {0: 'batch'} specified at `dynamic_shapes['x']` to non-tensor type <class 'int'> at `inputs['x']` (expected None)
```

Message (torch 2.5 to 2.13; `1 elements`):

```text
torch._dynamo.exc.UserError: Detected mismatch between the structure of `inputs` and `dynamic_shapes`: `inputs` has 2 elements, but `dynamic_shapes` has 1 elements
For more information about this error, see: https://pytorch.org/docs/main/generated/exportdb/index.html#dynamic-shapes-validation
```

Message (torch 2.6 to 2.13; `8, 16`):

```text
torch.fx.experimental.symbolic_shapes.ConstraintViolationError: 4 not in range [8, 16]
```

Message (torch 2.7 to 2.13; `Dim.DYNAMIC`):

```text
ValueError: Unable to specify input integers as dynamic through named Dims. Please use Dim.AUTO/DYNAMIC instead.
```

Message (torch 2.9 to 2.13; `dynamic_axes`):

```text
ValueError: The exporter only supports dynamic shapes through parameter dynamic_axes when dynamo=False.
```

Message (torch 2.13):

```text
AssertionError: Dim name must be a valid identifier, got a b
```

Message (torch 2.7 to 2.13; `no text`):

```text
torch._dynamo.exc.UserError: Unexpected dimension mapped to index 0 in input tensor shape {0: 'batch'} specified at `dynamic_shapes[0]` (expected None, an int, a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC,  but got 'batch' instead)
```

Message (torch 2.2 to 2.13; `no Dim alone`):

```text
torch._dynamo.exc.UserError: Unexpected input tensor shape Dim('a', min=0) specified at `dynamic_shapes[0]` (expected either a list/tuple of dimensions, or a dict mapping indices to dimensions, where each dimension is an int, a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC)
```

Message (torch 2.2 to 2.13; `once`):

```text
torch._dynamo.exc.UserError: Found different definitions Dim('b', min=0, max=5) and Dim('b', min=0, max=8) for the same symbolic dimension Dim('b', min=0, max=8)!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"its top-level keys must be the arg names \[(?P<names>[^\]]{1,200})\] of `inputs`, but here they are \[(?P<given>[^\]]{1,200})\]",
    odds=0.97,
)
def other_names(failure: Failure) -> Hits:
    names, given = (failure.groups[each].replace("'", "`") for each in ("names", "given"))
    says = f"dynamic_shapes names {given}, and forward's arguments are {names}: a key for each, None for what does not vary"
    yield failure.hit(says)


@pitfall.explains(
    r"to have the same length as the actual tensor shape .{1,60}?\(expected (?P<wants>\d+), but got (?P<got>\d+) instead",
    odds=0.97,
)
def other_number(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(
        f"a list in dynamic_shapes wants {wants} entries for this tensor, and has {got}: None for what does not vary, or a dict"
    )


@pitfall.explains(
    r"Cannot associate shape .{1,80}? to non-tensor type <class '(?P<kind>[\w.]+)'>", odds=0.97
)
def of_no_tensor(failure: Failure) -> Hits:
    says = f"dynamic_shapes gives dimensions to an argument of type {failure.groups['kind']}: None in its place"
    yield failure.hit(says)


@pitfall.explains(
    r"Detected mismatch between the structure of `inputs` and `dynamic_shapes`: (?P<what>[^\n]{3,120}? elements?)\s",
    odds=0.93,
)
def of_another_structure(failure: Failure) -> Hits:
    says = f"dynamic_shapes is not built as the inputs are ({failure.groups['what']}): an entry for each, None for what does not vary"
    yield failure.hit(says)


@pitfall.explains(r"\b(?P<size>\d+) not in range \[(?P<range>\d+, \w+)\]", odds=0.9)
def outside_of_its_range(failure: Failure) -> Hits:
    if failure.kind.endswith("ConstraintViolationError"):
        size, allowed = failure.groups["size"], failure.groups["range"]
        says = f"the example has {size} where its Dim allows {allowed}: another example, or another min and max"
        yield failure.hit(says)


pitfall.answers(
    {
        "Unable to specify input integers as dynamic through named Dims": "an integer varies by Dim.DYNAMIC, not by a Dim with a name",
        "only supports dynamic shapes through parameter dynamic_axes": "the older exporter to ONNX takes dynamic_axes={'x': {0: 'batch'}}; "
        "dynamic_shapes is for dynamo=True",
    },
    odds=0.95,
)


NO_DIM = "each dimension is a Dim, Dim.DYNAMIC, a number or None, and no text: Dim('batch')"
LINEAR = "a dimension is made of another by whole numbers, larger ones of smaller: half = Dim('half'), then 2 * half"
pitfall.answers(
    {
        "Only increasing linear operations with integer coefficients": LINEAR,
        "unsupported operand type(s) for /: 'Dim' and": LINEAR,
        "Unexpected dimension mapped to index": NO_DIM,
        "Unexpected dimension #": NO_DIM,
        "Unexpected input tensor shape": "a tensor has a dict or list of its dimensions, {0: Dim('batch')}, and no Dim alone",
        "for the same symbolic dimension": "two Dims of one name have other ranges: batch = Dim('batch', max=8) once, and that for both",
        "Dim name must be a valid identifier": "the name of a Dim is one of Python's names, without blanks",
        "Cannot create Dim with inconsistent min=": "`min` of a Dim is larger than its `max`",
    },
    odds=0.97,
)


@pitfall.explains(
    r"Static shape constraint of (?P<said>\d+) does not match input size of (?P<size>\d+), for (?P<what>\S{1,80})",
    odds=0.97,
)
def fixed_to_another(failure: Failure) -> Hits:
    said, size = failure.groups["said"], failure.groups["size"]
    yield failure.hit(
        f"dynamic_shapes fixes a dimension to {said}, and the example has {size}: an example of {said}, or a Dim"
    )
