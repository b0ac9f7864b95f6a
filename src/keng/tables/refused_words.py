"""What values that torch refuses are to be, by its own words."""

from __future__ import annotations

TO_BE: dict[str, str] = {
    "probability has to be between 0 and 1": "a share and no percentage, 0.5 for 50",
    "quantile() q must be": "a share and no percentage, 0.95 for 95",
    "Nesterov momentum": "momentum=0.9 beside it",
    "not supported for strided": "padding=kernel_size // 2, of an odd kernel, gives the size "
    "divided by the stride",
    "must be divisible by groups": "groups divides in_channels and out_channels, up to groups=in_channels",
    "either size or scale_factor": "one of the two, and not both or none",
    "align_corners option": "without align_corners where mode is 'nearest' or 'area'",
    "is not finite": "x[torch.isfinite(x)], or what made NaN or infinite values",
    "unsupported range": "x[torch.isfinite(x)], or what made infinite values",
    "Padding length must be": "F.pad takes two numbers for each dimension, from the last",
    "is not a valid value for reduction": "'none', 'mean' or 'sum'",
    "is unknown": "'min' or 'max'",
    "number of sliding blocks": "fold takes what unfold gave of a tensor of this output_size, "
    "by the same numbers",
    "product of kernel_size": "fold takes (N, C * kernel height * kernel width, L), as unfold gives it",
}


def to_be(said: str) -> str:
    """What to follow what was said, with its colon; nothing where that tells enough."""
    return next((f": {value}" for words, value in TO_BE.items() if words in said), "")
