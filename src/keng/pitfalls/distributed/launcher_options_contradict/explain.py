"""Error messages: a launcher is told what the machines or the program contradict."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("more-than-there-are")
def more_than_there_are(failure: Failure) -> Hits:
    yield failure.hit(
        "more cards are asked for than the program sees: fewer in its options, or see CUDA_VISIBLE_DEVICES and nvidia-smi"
    )


@explains("no-such-file")
def no_such_file(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['path']}` is no file, seen from where accelerate launch is called: its path from the root, or `accelerate config`"
    )
