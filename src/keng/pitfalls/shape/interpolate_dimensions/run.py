"""A running program: an image without a batch dimension is given to `F.interpolate`."""

from __future__ import annotations

from keng.model import say
from keng.run.events import Interpolate
from keng.run.frames import user_frames
from keng.run.recorder import Recorder


class ResizedImages(Recorder):
    sampled = (Interpolate,)

    def interpolate(self, event: Interpolate) -> None:
        channels, height, width = shape = tuple(event.input.shape)
        square = channels in (1, 3, 4) and height == width
        # Of one sample; one channel may be a signal of several leads.
        picture = channels in (3, 4) and _in_dataset()
        if (square or picture) and min(height, width) >= 8:
            self.report(say("image-resized-as-sequences", shape=shape, channels=channels))


def _in_dataset() -> bool:
    return any(frame.f_code.co_name == "__getitem__" for frame in user_frames())
