r"""A reversed NumPy array is given to torch.

`a[::-1]`, `np.flip` and `np.rot90` move nothing: they give a view that walks the same memory backwards, with a
negative stride. Tensors have no negative strides, so `torch.from_numpy`, `torch.tensor` and their kin refuse
it, and so does the DataLoader when it makes a batch of such arrays.

Cure: `.copy()`, which puts the numbers in the new order: `torch.from_numpy(np.flip(a, 1).copy())`.

Bad (an image from BGR to RGB):

```python
import numpy as np
import torch

image = np.zeros((4, 4, 3), dtype=np.uint8)
x = torch.from_numpy(image[:, :, ::-1])  # here: a view that runs backwards
```

Bad (a flip some lines before):

```python
import numpy as np
import torch

image = np.zeros((4, 4, 3), dtype=np.uint8)
image = np.fliplr(image)
image = image.transpose(2, 0, 1)
x = torch.tensor(image)  # here: flipped, and never copied since
```

Bad (a turn):

```python
import numpy as np
import torch

x = torch.as_tensor(np.expand_dims(np.rot90(np.zeros((4, 4))), 0))  # here: a turned view
```

Bad (in a batch):

```python
import numpy as np
from torch.utils.data import DataLoader

rows = [np.zeros(4)[::-1], np.ones(4)[::-1]]
batch = next(iter(DataLoader(rows, batch_size=2)))  # seen: reversed rows
```

Bad (a row):

```python
import numpy as np
import torch

row = np.arange(4)
x = torch.tensor(row[::-1][None, ...].T)  # here: the last comes first
```

Good:

```python
import numpy as np
import torch

image = np.zeros((4, 4, 3), dtype=np.uint8)
x = torch.from_numpy(image[:, :, ::-1].copy())
x = torch.tensor(np.fliplr(image).copy().transpose(2, 0, 1))
x = torch.as_tensor(np.ascontiguousarray(np.rot90(image)))
```

Fine (lists, arithmetic, which makes a new array, no turn at all, another way):

```python
import numpy as np
import torch

row, image = [1, 2, 3], np.zeros((4, 4, 3))
x = torch.tensor(row[::-1])
x = torch.from_numpy(np.flip(image) / 255)
x = torch.from_numpy(np.rot90(image, 4))
x = torch.from_numpy(image[::2, 1:][np.array([1, 0])])
image = np.flip(image).astype("float32")
x = torch.from_numpy(image[::-1][::1].copy())
```

Message (torch 1.4):

```text
ValueError: some of the strides of a given numpy array are negative. This is currently not supported, but will be added in future releases.
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall, Safety
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

TAKING = (
    "torch.from_numpy",
    "torch.tensor",
    "torch.as_tensor",
    "torch.Tensor",
    "torch.FloatTensor",
)


@pitfall.finds(fixes=True)
def reversed_array_given(code: Code) -> Hits:
    for call in code.calls_to(*TAKING):
        given = code.argument(call, "data", position=0)
        array = code.resolve(call.func) == "torch.from_numpy"
        reverse = code.reversed_in(given, array) if given is not None else None
        if given is None or reverse is None:
            continue
        safety: Safety = "safe" if code.within(reverse, call) else "unsafe"
        fix = Fix("Copy it in the new order", (code.append(reverse, ".copy()"),), safety)
        text, line = code.text_of(reverse), code.line_of(reverse)
        where = "" if line == code.line_of(call) else f" on line {line}"
        yield code.hit(
            call, f"`{text}`{where} has a negative stride, which no tensor can have", fix
        )


@pitfall.explains(
    r"At least one stride in the given numpy array is negative",
    r"some of the strides of a given numpy array are negative",
    odds=0.95,
)
def negative_stride(failure: Failure) -> Hits:
    says = "the array is a reversed view, as [::-1], np.flip and np.rot90 give: .copy() it first"
    yield failure.hit(says, failure.mended("array_copied"))
