r"""A tensor is made with a dtype, data or a size of another form.

A dtype is `torch.float32`; the text `"float32"`, NumPy's `np.float32` and Python's `float` in an old PyTorch are none. `torch.tensor` takes the data alone, so
`torch.tensor(2, 3)` is one argument too many, and `torch.zeros(2, 3)` takes whole numbers: with a float among them Python speaks of arguments.

Cure: `dtype=torch.float32`, `x.to(torch.float32)`; `torch.tensor([2, 3])` for data, `torch.zeros(2, 3)` for a shape; `n // 2` or
`int(n)` for a size.

Bad (NumPy's):

```python
import numpy as np
import torch

x = torch.ones(2, dtype=np.float32)  # seen: `torch.float32`
```

Bad (a text):

```python
import torch

x = torch.zeros(2, dtype="float32")  # seen: `torch.float32`
```

Bad (a text to convert to):

```python
import torch

x = torch.ones(2).type("int64")  # seen: `torch.int64`
```

Bad (a name to look up):

```python
import torch

dtype = torch.dtype("float32")  # seen: `getattr`
```

Bad (two numbers for data):

```python
import torch

x = torch.tensor(2, 3)  # seen: `torch.tensor([...])`
```

Bad (a size that is a float):

```python
import torch

x = torch.zeros(6 / 2, 3)  # seen: whole numbers
```

Good:

```python
import torch

x = torch.ones(2, dtype=torch.float32).type(torch.int64)
y = torch.tensor([2, 3])
z = torch.zeros(6 // 2, 3)
```

Message (torch 2.13; `int(n)`):

```text
TypeError: torch.Size() takes an iterable of 'int' (item 0 is 'float')
```

Message (torch 1.0 to 1.7; `bound to one device`):

```text
RuntimeError: legacy constructor for device type: cpu was passed device type: cuda, but device type must be: cpu
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NAMED = re.compile(r"(?:float|int|uint|bfloat|complex)\d+|bool|half|double|long")


@pitfall.explains(
    r"argument 'dtype' (?:\(position \d+\) )?must be torch\.dtype, not (?P<came>\w[\w.]*)",
    odds=0.96,
)
def no_dtype(failure: Failure) -> Hits:
    came = {"str": "a text", "type": "a type of NumPy's or Python's"}.get(failure.groups["came"])
    yield failure.hit(
        f"a dtype is one of torch's, `torch.float32`, and not {came or failure.groups['came']}"
    )


pitfall.answers(
    {
        "torch.Size() takes an iterable of 'int'": "sizes are whole numbers: int(n), or // for a half",
        "cannot create 'torch.dtype' instances": "a dtype is looked up by its name: getattr(torch, 'float32')",
    },
    odds=0.97,
)


@pitfall.explains(r"invalid type: '(?P<came>[\w.]+)'", odds=0.95)
def no_type(failure: Failure) -> Hits:
    came = failure.groups["came"]
    dtype = f"torch.{came}" if NAMED.fullmatch(came) else "torch.float32"
    yield failure.hit(f"`{came}` is no type of tensors: `{dtype}`")


@pitfall.explains(
    r"\b(?P<function>tensor|zeros|ones|empty|rand|randn|full)\(\) takes \d positional arguments? but \d were given",
    odds=0.93,
)
def arguments_of_another_form(failure: Failure) -> Hits:
    function = failure.groups["function"]
    if f"torch.{function}(" not in (failure.line or failure.around):
        return
    if function == "tensor":
        yield failure.hit("torch.tensor takes the data in one: `torch.tensor([...])`")
    else:
        yield failure.hit(f"the sizes of {function} are whole numbers, and one of them is none")


LEGACY = "torch.Tensor(...), torch.FloatTensor(...) and x.new(...) are bound to one device, and refuse another: torch.tensor(data, device=...)"
pitfall.answers({"legacy constructor for device": LEGACY}, odds=0.96)
