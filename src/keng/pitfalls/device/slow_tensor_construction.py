r"""A tensor is made number by number.

`torch.tensor` of a list goes through its numbers as Python objects. A list of NumPy arrays is copied
that way too, many times slower than one array, and so is what `array.tolist()` gives. (One array is
copied in one go; `torch.tensor(array)` is fast today.)

Cure: stack first: `torch.from_numpy(np.stack(arrays))`. For one array `torch.from_numpy(array)`, which
shares its memory, or `torch.tensor(array)`, which copies.

Bad (a list of arrays):

```python
import numpy as np
import torch


def load():
    return torch.tensor([np.zeros((64, 64)) for _ in range(20)])  # here: number by number


images = load()
```

Proof:

```python
from timeit import repeat

arrays = [np.zeros((64, 64)) for _ in range(20)]
one_go = repeat(lambda: torch.tensor(np.stack(arrays)), number=1, repeat=7)
assert min(repeat(load, number=1, repeat=7)) > 5 * min(one_go)
```

Bad (a list of random arrays, under a name):

```python
import numpy as np
import torch

noise = [np.random.rand(64, 64).astype(np.float32) for _ in range(20)]


def load():
    return torch.tensor(noise)  # here: number by number


images = load()
```

Proof:

```python
from timeit import repeat

one_go = repeat(lambda: torch.tensor(np.stack(noise)), number=1, repeat=7)
assert min(repeat(load, number=1, repeat=7)) > 5 * min(one_go)
```

Bad (an array made into a list):

```python
import numpy as np
import torch


def load():
    values = np.arange(100_000.0)
    return torch.tensor(values.tolist())  # here: tolist makes an object of every number


x = load()
```

Proof:

```python
from timeit import repeat

array = np.arange(100_000.0)
one_go = repeat(lambda: torch.tensor(array), number=1, repeat=7)
assert min(repeat(load, number=1, repeat=7)) > 5 * min(one_go)
```

Good:

```python
import numpy as np
import torch

arrays = [np.zeros((8, 8)) for _ in range(4)]
images = torch.from_numpy(np.stack(arrays))
values = torch.tensor(np.arange(1000.0))
```

Fine (lists of numbers, of numbers that NumPy computed, and tensors):

```python
import numpy as np
import torch

x = torch.tensor([0.5 * n for n in range(4)])
means = torch.tensor([np.mean([n, 1]) for n in range(4)])
sizes = torch.tensor([len("abc"), 2])
y = torch.stack([torch.zeros(3) for _ in range(4)])
z = torch.tensor(y.tolist())
```

Message (torch 1.10 to 2.13):

```text
UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor. (Triggered internally at /pytorch/torch/csrc/utils/tensor_new.cpp:252.)
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")
SLOW = "each number of a list of arrays is converted by itself: torch.from_numpy(np.stack(arrays)), or torch.tensor(np.array(arrays))"
pitfall.answers(
    {"Creating a tensor from a list of numpy.ndarrays is extremely slow": SLOW}, odds=0.95
)

MAKERS = (
    "torch.tensor",
    "torch.as_tensor",
    "torch.Tensor",
    "torch.FloatTensor",
    "torch.LongTensor",
)


@pitfall.finds(fixes=True)
def list_of_arrays(code: Code) -> Hits:
    for call in code.calls_to(*MAKERS):
        given = code.argument(call, "data", position=0)
        if given is None or not code.lists_arrays(given):
            continue
        stack = code.spell("numpy.stack", call)
        edits = (code.insert(given, f"{stack}("), code.append(given, ")"))
        fix = Fix("Stack the arrays first", edits) if stack else None
        yield code.hit(call, "a list of arrays is copied number by number: stack them", fix=fix)


@pitfall.finds(fixes=True)
def array_as_list(code: Code) -> Hits:
    for call in code.calls_to(*MAKERS):
        match code.argument(call, "data", position=0):
            case ast.Call(func=ast.Attribute(attr="tolist", value=array), args=[]) as given:
                if code.is_array(array):
                    name = code.text_of(array)
                    fix = Fix(f"Give `{name}` itself", (code.replace(given, name),))
                    says = f"`{name}` becomes a list of Python numbers, then a tensor"
                    yield code.hit(call, says, fix=fix)
