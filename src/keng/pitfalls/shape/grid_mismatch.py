r"""A sampling grid does not fit its image.

`F.grid_sample` takes an image (N, C, H, W) and a grid (N, height, width, 2) of the same N, device and dtype, with x before y in the last dimension; for volumes
(N, C, D, H, W) and three numbers. `F.affine_grid` makes it from matrices (N, 2, 3), or (N, 3, 4) for volumes, and a size that has
N and C too.

Cure: `grid.permute(0, 2, 3, 1)` where the two numbers stand in the channels; `.expand(len(image), -1, -1, -1)` for one grid for all; `theta[:, :2]` of a 3 by 3 matrix.

Bad (two channels instead of two numbers at the end):

```python
import torch
import torch.nn.functional as F

image, flow = torch.ones(1, 3, 8, 8), torch.zeros(1, 2, 8, 8)
warped = F.grid_sample(image, flow, align_corners=False)  # seen: `permute`
```

Bad (a square matrix):

```python
import torch
import torch.nn.functional as F

grid = F.affine_grid(torch.eye(3)[None], (1, 3, 8, 8), align_corners=False)  # seen: `[1, 3, 3]`
```

Good:

```python
import torch
import torch.nn.functional as F

image, flow = torch.ones(1, 3, 8, 8), torch.zeros(1, 2, 8, 8)
warped = F.grid_sample(image, flow.permute(0, 2, 3, 1), align_corners=False)
grid = F.affine_grid(torch.eye(3)[None, :2], (1, 3, 8, 8), align_corners=False)
```

Message (torch 2.13; `same batch`):

```text
RuntimeError: grid_sampler(): expected grid and input to have same batch size, but got input with sizes [1, 1, 4, 4] and grid with sizes [2, 2, 2, 2]
```

Message (torch 2.13; `(N, C, H, W)`):

```text
NotImplementedError: affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size (1, 1, 4).
```

Message (torch 2.13):

```text
RuntimeError: grid_sampler(): bicubic interpolation only supports 4D input
```

Message (torch 2.13):

```text
RuntimeError: grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes [2, 3, 0, 8] with dimension 2 being empty
```

Message (torch 2.13):

```text
ValueError: Expected non-zero, positive output size. Got (2, 3, 0, 4)
```

Message (torch 2.13; `unsqueeze`):

```text
RuntimeError: grid_sampler(): expected grid and input to have same batch size, but got input with sizes [3, 8, 8] and grid with sizes [1, 4, 4, 2]
```

Message (torch 2.13; `see its shape`):

```text
RuntimeError: grid_sampler(): expected grid to have size 2 in last dimension, but got grid with sizes [2, 4, 4]
```

Bad (nothing to make):

```python
import torch
import torch.nn.functional as F

grid = F.affine_grid(torch.ones(1, 2, 3), [1, 1, 0, 4], align_corners=False)  # seen: `[1, 1, 0, 4]`
```

Message (torch 1.3 to 2.13; `align_corners=False`):

```text
UserWarning: Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an intended use case of affine_grid. See the documentation of affine_grid for details.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"grid_sampler\(\): expected grid to have size (?P<n>[23]) in last dimension, but got grid with sizes (?P<came>\[[\d, ]+\])",
    odds=0.97,
)
def numbers_come_last(failure: Failure) -> Hits:
    n, came = failure.groups["n"], failure.groups["came"]
    cure = "grid.permute(0, 2, 3, 1), perhaps" if came.count(",") == 3 else "see its shape"
    yield failure.hit(f"the grid {came} has not {n} coordinates at the end: {cure}")


@pitfall.explains(
    r"grid_sampler\(\): expected grid and input to have same batch size, but got input with sizes (?P<image>\[[\d, ]+\]) and grid "
    r"with sizes (?P<grid>\[[\d, ]+\])",
    odds=0.97,
)
def another_batch(failure: Failure) -> Hits:
    image, grid = failure.groups["image"], failure.groups["grid"]
    cure = "expand the grid to that of the image"
    if image.count(",") < grid.count(","):
        cure = f"the image {image} is one alone, without a batch dimension: unsqueeze(0)"
    yield failure.hit(f"image and grid have not the same batch size: {cure}")


@pitfall.explains(
    r"Expected a batch of (?P<d>[23])D affine matrices of shape (?P<wants>Nx\dx\d) for size .{1,60}?\. Got torch\.Size\((?P<came>\[[\d, ]+\])\)",
    odds=0.97,
)
def another_matrix(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the matrices are {came}, and {wants} is wanted: the last row is left out")


@pitfall.explains(
    r"Expected non-zero, positive output size\. Got (?P<size>[(\[][\d, -]{1,60}[)\]])", odds=0.97
)
def nothing_to_make(failure: Failure) -> Hits:
    yield failure.hit(
        f"the size that the grid is for, {failure.groups['size']}, is zero or less in one dimension"
    )


@pitfall.explains(r"affine_grid behavior has changed for unit-size grids", odds=0.97)
def of_one_pixel(failure: Failure) -> Hits:
    yield failure.hit(
        "a grid of size 1 has no corners to align: align_corners=False, or a larger size"
    )


@pitfall.explains(r"affine_grid only supports 4D and 5D sizes", odds=0.97)
def size_of_one_image(failure: Failure) -> Hits:
    yield failure.hit("the size is that of a batch, (N, C, H, W) or (N, C, D, H, W)")


pitfall.answers(
    {
        "bicubic interpolation only supports 4D input": "mode='bicubic' is for images, (N, C, H, W): mode='bilinear' for volumes",
        "expected input to have non-empty spatial dimensions": "the image that is sampled has an empty dimension: look what left nothing of it",
        "Expected non-zero, positive output size": "the size of a grid is (N, C, H, W), and each is 1 or more",
    },
    odds=0.96,
)
