"""Which pixels of an input move the loss."""

from __future__ import annotations

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
    with the loss in place of the score. Raises: ValueError for images of another shape.
    """
    if images.dim() != 4:
        raise ValueError(f"images of shape (N, C, H, W) are wanted, not {tuple(images.shape)}")
    training = [module for module in model.modules() if module.training]
    pixels = images.detach().clone().requires_grad_()
    model.eval()
    try:
        with torch.enable_grad():
            (gradient,) = torch.autograd.grad(loss(model(pixels), targets), pixels)
    finally:
        for module in training:
            module.training = True
    moved = gradient.abs().sum(dim=1)
    largest = torch.quantile(moved.flatten(1).float(), percentile / 100, dim=1)
    scaled = moved / largest.clamp_min(torch.finfo(torch.float32).tiny).view(-1, 1, 1)
    return (scaled.clamp(0, 1) * 255).round().to(torch.uint8)
