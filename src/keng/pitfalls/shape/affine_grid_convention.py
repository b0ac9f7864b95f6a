r"""A matrix of pixels, or another `align_corners`, is given to what counts from -1 to 1.

OpenCV's `warpAffine` takes a matrix from input to output, in pixels, and cuts the output to a size.
`F.affine_grid` takes the way back, from output to input, in coordinates that run from -1 to 1 over each image,
x before y, and centred on it; its size is the resolution at which that square is sampled. Where -1 and 1 lie,
`align_corners` decides: at the outer edges of the outermost pixels, or at their centres. `affine_grid` and
`grid_sample` must be told the same, or the image grows or shrinks by a pixel's width. The default has been False
since 1.3.

Cure: `keng.toolbox.affine_theta(matrix, in_size, out_size)` makes the theta of a pixel matrix; give one
`align_corners` to all three.

Bad:

```python
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
same = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(same, [1, 1, 4, 4], align_corners=True)
warped = F.grid_sample(images, grid)  # here: `grid` is made with align_corners=True
```

Proof:

```python
assert not torch.allclose(warped, images), "the identity changes the image"
```

Bad (the other way round):

```python
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
same = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(same, [1, 1, 4, 4])
warped = F.grid_sample(images, grid, align_corners=True)  # here: not as its grid is made
```

Proof:

```python
assert not torch.allclose(warped, images), "the identity changes the image"
```

Bad (a shift by one pixel to the right, as OpenCV writes it):

```python
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
matrix = torch.tensor([[[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(matrix, [1, 1, 4, 4], align_corners=False)
warped = F.grid_sample(images, grid, align_corners=False)
```

Proof:

```python
assert not torch.equal(warped[..., 1:], images[..., :-1])
assert torch.equal(warped[..., :2], images[..., 2:]), "shifted by half the image, to the left"
```

Good:

```python
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
back = torch.tensor([[[1.0, 0.0, -2 / 4], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(back, [1, 1, 4, 4], align_corners=False)
warped = F.grid_sample(images, grid, align_corners=False)
assert torch.allclose(warped[..., 1:], images[..., :-1])
```

Fine (said once by default and once in words; the same for both by a variable; a grid of one's own):

```python
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
same = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(same, [1, 1, 4, 4])
warped = F.grid_sample(images, grid, align_corners=False)

aligned = bool(len(images))
grid = F.affine_grid(same, [1, 1, 4, 4], align_corners=aligned)
warped = F.grid_sample(images, grid, align_corners=aligned)

axis = torch.linspace(-1, 1, 4)
own = torch.stack(torch.meshgrid(axis, axis, indexing="xy"), dim=-1)[None]
warped = F.grid_sample(images, own, align_corners=True)
```

Sources: https://pytorch.org/docs/stable/generated/torch.nn.functional.affine_grid.html
"""

import ast

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

AFFINE_GRID = "torch.nn.functional.affine_grid"
GRID_SAMPLE = "torch.nn.functional.grid_sample"


@pitfall.finds
def sampled_by_another_convention(code: Code) -> Hits:
    for call in code.calls_to(GRID_SAMPLE):
        grid = code.argument(call, "grid", 1)
        made = code.value_of(grid)
        if grid is None or made.dotted != AFFINE_GRID or made.call is None:
            continue
        theirs = _aligned(code.argument(made.call, "align_corners", 2))
        ours = _aligned(code.argument(call, "align_corners", 4))
        if {theirs, ours} == {True, False}:
            what = f"`{code.text_of(grid)}` is made with align_corners={theirs}"
            yield code.hit(call, f"{what}, and sampled with {ours}")


def _aligned(given: ast.expr | None) -> bool | None:
    """What `align_corners` is, where that is known; left out or None it is False."""
    if given is None:
        return False
    return bool(given.value) if isinstance(given, ast.Constant) else None
