"""Which pixels of an input move the loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812


def saliency(
    model: nn.Module,
    images: Tensor,
    targets: Tensor,
    *,
    loss: Callable[[Tensor, Tensor], Tensor] = F.cross_entropy,
    percentile: float = 99.0,
) -> Tensor:
    """The absolute gradient of the loss with respect to each pixel, summed over channels, as
    pictures: (N, C, H, W) floating point in, (N, H, W) uint8 out, on the same device.

    Each picture is scaled by itself, from 0 to the given percentile of its pixels at 255; what lies
    above is cut, so that a few pixels do not darken all others. The model is in evaluation mode
    meanwhile, and its parameters keep the gradients they have.

    Source: Simonyan, Vedaldi and Zisserman, "Deep Inside Convolutional Networks", 2013, section 3,
    with the loss in place of the score. Raises: ValueError for images of another shape or dtype, for
    a percentile that is not between 0 and 100, and where the gradient is not finite (float16 that
    overflows); RuntimeError where the loss is not one number, or does not hang on the images.
    """
    if images.dim() != 4 or not images.is_floating_point():
        given = f"{tuple(images.shape)} of {images.dtype}"
        raise ValueError(f"images of shape (N, C, H, W), floating point, are wanted, not {given}")
    if not 0 <= percentile <= 100:
        raise ValueError(f"a percentile is between 0 and 100, not {percentile}")
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.inference_mode(False), torch.enable_grad():
            pixels = images.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(loss(model(pixels), targets), pixels)
    finally:
        for module in training:
            module.training = True
    if not gradient.isfinite().all():
        raise ValueError("the gradient of the images is not finite: there is nothing to be seen")
    moved = gradient.abs().sum(dim=1)
    values = moved.flatten(1).float()  # torch.quantile takes no more than 16 million
    largest = values.kthvalue(1 + math.ceil(percentile / 100 * (values.shape[1] - 1))).values
    scaled = moved / largest.clamp_min(torch.finfo(torch.float32).tiny).view(-1, 1, 1)
    return (scaled.clamp(0, 1) * 255).round().to(torch.uint8)
