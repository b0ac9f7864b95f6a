r"""A tensor is sliced backwards.

A slice of a NumPy array or a list may run from the end to the front. A tensor has no negative strides, so that
indexing refuses a negative step: `ValueError: step must be greater than zero`.

Cure: `x.flip(0)` for `x[::-1]`, with the dimensions that are to be turned; it copies. For every other one from the
end, flip first and slice then.

Bad:

```python
import torch

x = torch.arange(6)
last_first = x[::-1]  # here: tensors take no negative step
```

Bad (a mirrored image):

```python
import torch

image = torch.rand(3, 8, 8)
mirrored = image[..., ::-1]  # here: the last dimension runs backwards
batch = torch.stack([image, mirrored])
```

Bad (time, of two dimensions):

```python
import torch

sequence = torch.zeros(5, 3)
sequence = sequence[::-1, :]  # here: from the last step to the first
```

Bad (not all of it):

```python
import torch

returns = torch.zeros(8)
late = returns[6:2:-2]  # here: back, by two
```

Good:

```python
import torch

x = torch.arange(6)
last_first = x.flip(0)
mirrored = torch.rand(3, 8, 8).flip(-1)
late = torch.zeros(8)[4:7].flip(0)[::2]
```

Fine (arrays and lists):

```python
import numpy as np
import torch

x = torch.arange(6)
row = x.numpy()[::-1].copy()
values = x.tolist()[::-1]
image = np.zeros((8, 8, 3))[:, :, ::-1]
for step in [1, 2, 3][::-1]:
    x = x[step - 1 : -1 : 1]
```

Message (torch 0.4 to 1.4):

```text
ValueError: negative step not yet supported
```

Message (torch 0.1 to 0.3):

```text
ValueError: slice step has to be greater than 0
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def negative_step(code: Code) -> Hits:
    for item, dimension in code.sliced_backwards():
        if code.probed(item):
            continue
        name, fix = code.text_of(item.value), None
        if dimension is not None and isinstance(item.ctx, ast.Load):
            flipped = f"{code.operand(item.value)}.flip({dimension})"
            fix = Fix("Flip it", (code.replace(item, flipped),), "safe")
        yield code.hit(item, f"`{name}` is a tensor, which takes no negative step", fix=fix)


@pitfall.explains(
    r"step (?:must be greater than zero|has to be greater than 0)|negative step not yet supported",
    odds=0.9,
)
def refused(failure: Failure) -> Hits:
    yield failure.hit("a tensor takes no negative step: x.flip(0) is what x[::-1] means")
