"""Between the pixel matrices of OpenCV and the normalized ones of `affine_grid`."""

from __future__ import annotations

from operator import index
from typing import Any

import torch
from torch import Tensor

Size = tuple[int, int]
"""Height and width in pixels."""


def affine_theta(
    matrix: Tensor | Any, in_size: Size, out_size: Size, *, align_corners: bool = False
) -> Tensor:
    """The `theta` of `torch.nn.functional.affine_grid` that does what `cv2.warpAffine(image, matrix,
    (width, height))` does.

    `matrix` is a tensor, or an array as OpenCV has it, of shape (..., 2, 3), and leads from pixels of
    the input to pixels of the output, x before y. `affine_grid` wants the way back, from output to
    input, in coordinates that run from -1 to 1 over each image: between the outer edges of the
    outermost pixels, or between their centres with `align_corners`. The theta is therefore right for
    these two sizes (height, width) and this `align_corners` alone; give the same to `affine_grid` and
    `grid_sample`:

        grid = F.affine_grid(theta, (n, c, *out_size), align_corners=False)
        output = F.grid_sample(images, grid, align_corners=False)

    Bilinear sampling does not smooth: where an image shrinks to less than half, blur it first.

    Returns the shape and dtype of `matrix` (the default dtype for integers), on its device; computed
    in float64, and differentiable. Raises: ValueError for another shape, for complex numbers, and for
    sizes that are not two numbers above 0; TypeError for sizes that are not whole;
    torch.linalg.LinAlgError for a matrix that cannot be inverted.
    """
    matrix = torch.as_tensor(matrix)
    if matrix.shape[-2:] != (2, 3) or matrix.is_complex():
        given = f"{tuple(matrix.shape)} of {matrix.dtype}"
        raise ValueError(f"a real matrix of shape (..., 2, 3) is wanted, not {given}")
    dtype = matrix.dtype if matrix.is_floating_point() else torch.get_default_dtype()
    last = matrix.new_tensor([0, 0, 1]).expand(*matrix.shape[:-2], 1, 3)
    whole = torch.cat([matrix, last], dim=-2).double()
    into = _to_unit(in_size, align_corners).to(matrix.device)
    out_of = _to_unit(out_size, align_corners).to(matrix.device)
    theta: Tensor = into @ torch.linalg.inv(whole) @ torch.linalg.inv(out_of)
    return theta[..., :2, :].to(dtype)


def _to_unit(size: Size, align_corners: bool) -> Tensor:
    """The 3 x 3 matrix from pixels to coordinates between -1 and 1."""
    if len(size) != 2 or min(map(index, size)) < 1:
        raise ValueError(f"a size is (height, width) in pixels, not {size}")
    rows = []
    for axis, length in enumerate(reversed(size)):
        row = [0.0, 0.0, 0.0]
        if align_corners:
            # One pixel has no distance between corners; its centre is 0 for grid_sample too.
            row[axis], row[2] = 2 / max(length - 1, 1), -1.0 if length > 1 else 0.0
        else:
            row[axis], row[2] = 2 / length, 1 / length - 1
        rows.append(row)
    return torch.tensor([*rows, [0, 0, 1]], dtype=torch.float64)
