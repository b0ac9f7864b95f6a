"""Warp images by a matrix of pixels, as OpenCV does, on any device and with gradients.

`affine_grid` takes the way from output to input, in coordinates from -1 to 1 that depend on both sizes
and on align_corners; OpenCV's matrix leads from input to output in pixels. The program turns, shrinks and
enlarges, and compares with cv2.warpAffine.

Needs keng, opencv-python and scikit-learn.

Avoids: affine-grid-convention
"""

import cv2
import numpy as np
import torch
from sklearn.datasets import load_sample_image
from torch import Tensor
from torch.nn import functional as F

from keng.toolbox import affine_theta

ALIGN_CORNERS = False


def warp(images: Tensor, matrix: Tensor, size: tuple[int, int]) -> Tensor:
    """Images (N, C, H, W) by a matrix (2, 3) of pixels, cut to a size (height, width)."""
    theta = affine_theta(matrix, images.shape[-2:], size, align_corners=ALIGN_CORNERS)
    thetas = theta.expand(len(images), 2, 3)
    grid = F.affine_grid(thetas, [*images.shape[:2], *size], align_corners=ALIGN_CORNERS)
    return F.grid_sample(images, grid, align_corners=ALIGN_CORNERS)


def main() -> None:
    image = np.ascontiguousarray(load_sample_image("china.jpg")[:200, :300])
    pixels = torch.from_numpy(image).permute(2, 0, 1).unsqueeze(0).double()
    for degrees, scale, size in (
        (30, 1.0, (200, 300)),
        (-45, 0.5, (90, 160)),
        (10, 2.0, (500, 400)),
    ):
        matrix = cv2.getRotationMatrix2D((150, 100), degrees, scale)
        height, width = size
        theirs = cv2.warpAffine(image, matrix, (width, height))
        ours = warp(pixels, torch.from_numpy(matrix), size)[0].permute(1, 2, 0).round().numpy()
        worst = int(np.abs(ours - theirs).max())
        print(
            f"{degrees} degrees, {scale} times, to {height} x {width}: {worst} grey levels at most"
        )


if __name__ == "__main__":
    main()
