r"""A word, or a number that stands for one, chooses what a function does, and is none that it knows.

Padding, interpolation, norms, decompositions and reductions are chosen by a text: each function knows a few, and the names that other
functions or NumPy know are others. `pad` and `grid_sample` call the same thing `reflect` and `reflection`, a matrix has the norms `"fro"`, `"nuc"`,
1, 2, infinity and their negatives, and no 3.

Cure: one of the words that the message or the documentation lists; print what comes from a configuration, where `None` and `"None"` differ.

Bad (a side of sorted values):

```python
import torch

values = torch.arange(3.0)
place = torch.searchsorted(values, torch.ones(1), side="middle")  # seen: `'left' or 'right'`
```

Bad (the order of a grid):

```python
import torch

x = torch.arange(3)
grid = torch.meshgrid(x, x, indexing="yx")  # seen: `"xy" or "ij"`
```

Bad (padding):

```python
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(1, 3, 8, 8), (1, 1), mode="zeros")  # seen: `'constant'`
```

Bad (a layer's padding):

```python
import torch
import torch.nn.functional as F

y = F.conv2d(torch.ones(1, 3, 8, 8), torch.ones(4, 3, 3, 3), padding="full")  # seen: `'valid'`
```

Bad (what is outside of an image):

```python
import torch
import torch.nn.functional as F

image, grid = torch.ones(1, 3, 8, 8), torch.zeros(1, 2, 2, 2)
y = F.grid_sample(image, grid, padding_mode="reflect", align_corners=False)  # seen: `'reflection'`
```

Bad (a norm):

```python
import torch

size = torch.linalg.matrix_norm(torch.ones(2, 2), ord=3)  # seen: `'nuc'`
```

Bad (a condition number):

```python
import torch

number = torch.linalg.cond(torch.eye(2), p=2.5)  # seen: `2.5`
```

Bad (a decomposition):

```python
import torch

q, r = torch.linalg.qr(torch.ones(2, 2), "full")  # seen: `complete`
```

Bad (a method of solving):

```python
import torch

x = torch.linalg.lstsq(torch.ones(3, 2), torch.ones(3, 1), driver="svd")  # seen: `gelsd`
```

Good:

```python
import torch
import torch.nn.functional as F

x = torch.arange(3)
place = torch.searchsorted(x, torch.tensor([1]), side="right")
grid = torch.meshgrid(x, x, indexing="ij")
y = F.pad(torch.ones(1, 3, 8, 8), (1, 1), mode="constant")
size = torch.linalg.matrix_norm(torch.ones(2, 2), ord="nuc")
y = F.interpolate(torch.ones(1, 3, 8, 8), 4, mode="bilinear", antialias=True)
```

Message (torch 2.13, of a gaussian_nll_loss; `'sum'`):

```text
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    loss = F.gaussian_nll_loss(mean, target, var, reduction="batch")
  File "/env/lib/python3.11/site-packages/torch/nn/functional.py", line 3341, in gaussian_nll_loss
    raise ValueError(reduction + " is not valid")
ValueError: batch is not valid
```

Message (torch 0.4; `grid_sample of this PyTorch`):

```text
NotImplementedError: nn.functional.grid_sample got unsupported mode: 'nearest'
```

Message (torch 2.13; `and not middle`):

```text
RuntimeError: Expected padding_side to be one of left or right, but got middle.
```

Message (torch 2.13; `and not wrong`):

```text
RuntimeError: quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got wrong
```

Message (torch 2.13; `and not X`):

```text
RuntimeError: Expected UPLO argument to be 'L' or 'U', but got X
```

Bad (a way to compute distances):

```python
import torch

d = torch.cdist(torch.ones(2, 3), torch.ones(2, 3), compute_mode="mm")  # seen: `mm`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"\b(?P<name>side|indexing|UPLO argument|padding_side|padding_mode|mode|reduce|interpolation)(?: can only be | must be )(?:one of )?"
    r"(?P<known>[^:\n]{3,80}?),? but (?:got|received):? '?(?P<came>\w+)",
    r"Expected padding_side to be one of (?P<known>[\w ]{3,40}), but got (?P<came>\w+)",
    r"Expected UPLO argument to be (?P<known>[\w' ]{3,40}), but got (?P<came>\w+)",
    r"\(\): expected (?P<name>mode|padding_mode) to be (?P<known>[^:\n]{3,80}?),? but got: '(?P<came>\w+)",
    r"torch\.linalg\.lstsq: parameter `(?P<name>driver)` should be one of \((?P<known>[\w, ]{3,40})\)",
    r"\bqr received unrecognized (?P<name>mode) '(?P<came>\w+)' but expected one of (?P<known>[^\n]{3,60})",
    odds=0.96,
)
def none_of_the_known(failure: Failure) -> Hits:
    name = failure.groups.get("name") or failure.message.partition("Expected ")[2].partition(" ")[0]
    name, known = name.removesuffix(" argument"), failure.groups["known"]
    came = f", and not {failure.groups['came']}" if failure.groups.get("came") else ""
    yield failure.hit(f"`{name}` is one of {known.rstrip('. ')}{came}")


@pitfall.explains(
    r"\b(?P<function>\w+) got unsupported (?P<name>(?:padding_)?mode): '(?P<came>\w+)'", odds=0.96
)
def not_known_yet(failure: Failure) -> Hits:
    function, name, came = (failure.groups[group] for group in ("function", "name", "came"))
    yield failure.hit(
        f"{function} of this PyTorch knows no {name} '{came}': another, or a newer one"
    )


@pitfall.explains(r"Unrecognised padding mode (?P<came>\w+)", odds=0.96)
def padding_of_another_name(failure: Failure) -> Hits:
    yield failure.hit(
        f"pad knows 'constant', 'reflect', 'replicate' and 'circular', and not {failure.groups['came']}"
    )


@pitfall.explains(r"Invalid padding string: '(?P<came>\w+)'", odds=0.96)
def padding_of_a_convolution(failure: Failure) -> Hits:
    yield failure.hit(
        f"padding of a convolution is numbers, 'same' or 'valid', and not {failure.groups['came']}"
    )


@pitfall.explains(
    r"matrix_norm: Order (?P<came>[-\w.]+) not supported",
    r"linalg\.cond got an invalid norm type: (?P<came>[-\w.]+)",
    odds=0.96,
)
def norm_that_is_none(failure: Failure) -> Hits:
    yield failure.hit(
        f"a matrix has no norm {failure.groups['came']}: 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2; vector_norm takes any number"
    )


@pitfall.explains(r"(?P<came>\w{1,60}) is not a valid value for compute_mode", odds=0.97)
def distances_of_another_way(failure: Failure) -> Hits:
    yield failure.hit(
        f"cdist knows compute_mode='use_mm_for_euclid_dist_if_necessary', 'use_mm_for_euclid_dist' and 'donot_use_mm_for_euclid_dist', and not {failure.groups['came']}"
    )


@pitfall.explains(r"(?:^|Error: )(?P<came>\w+) is not valid$", odds=0.93)
def reduction_of_another_name(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("functional.py"):
        yield failure.hit(f"reduction is 'none', 'mean' or 'sum', and not {failure.groups['came']}")
