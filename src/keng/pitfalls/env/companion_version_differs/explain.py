"""Error messages: `torchvision` or `torchaudio` belongs to another PyTorch."""

from __future__ import annotations

import re

from keng.explain.advice.extensions import of_another_torch
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

COMPANION = re.compile(r"[/\\](?P<name>torch(?:vision|audio|text))[/\\]")


@explains("compiled-for-another")
def compiled_for_another(failure: Failure) -> Hits:
    yield failure.hit(of_another_torch(failure))


@explains("library-of-another")
def library_of_another(failure: Failure) -> Hits:
    who = _who(failure)
    if who:
        yield failure.hit(f"{who} was compiled for another PyTorch: install both together")


def _who(failure: Failure, deepest: int = 3) -> str:
    """The companion whose loading failed: it is told in the message, or one of the deepest frames is its."""
    places = [failure.message, *(frame.path for frame in failure.frames[: -deepest - 1 : -1])]
    found = (COMPANION.search(place) for place in places)
    return next((match["name"] for match in found if match), "")


@explains("reader-not-loaded")
def reader_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(
        "torchvision's own readers (torchvision.io) do not load: it belongs to another PyTorch, or libjpeg and libpng are "
        "missing; harmless where Pillow reads the images"
    )


@explains("asks-for-what-torch-lacks")
def asks_for_what_torch_lacks(failure: Failure) -> Hits:
    who = _who(failure, deepest=1)
    if who:
        yield failure.hit(f"{who} asks for what this torch does not have: install both together")
