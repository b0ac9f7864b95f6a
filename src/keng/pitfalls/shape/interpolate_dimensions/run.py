"""A running program: an image without a batch dimension is given to `F.interpolate`."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import Interpolated


@watches("interpolate")
def width_alone(seen: Interpolated) -> Hits:
    channels, height, width = seen.shape
    square = channels in (1, 3, 4) and height == width
    picture = seen.one_sample and channels in (3, 4)  # one channel may be a signal of several leads
    if (square or picture) and min(height, width) >= 8:
        says = f"a tensor of shape {seen.shape} is taken for {channels} sequences: its width alone"
        yield seen.hit(f"{says} is resized; unsqueeze(0) makes it a batch")
