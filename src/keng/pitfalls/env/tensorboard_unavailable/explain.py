"""Error messages: tensorBoard is missing, too old, or mixed up with TensorFlow."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    if "logging" in failure.message or failure.mentions_torch:
        yield failure.hit(say("tensorboard-missing"))


WRITES = re.compile(r"[Tt]ensor[Bb]oard|SummaryWriter|[Tt]orch|\bDefaultTrainer\(|\bTrainer\(")
"""What shows that TensorBoard asks, and no program of TensorFlow's."""


@explains("left-of-tensorflow")
def left_of_tensorflow(failure: Failure) -> Hits:
    shown = (failure.message, failure.surrounding, *(f"{f.path} {f.text}" for f in failure.frames))
    if any(map(WRITES.search, shown)):
        yield failure.hit(say("left-of-tensorflow"))


@explains("of-the-other-writer")
def of_the_other_writer(failure: Failure) -> Hits:
    what = failure.groups["what"]
    other = what == "export_scalars_to_json"
    later = say("writer-too-old", what=what)
    yield failure.hit(say("writer-of-tensorboardx", what=what) if other else later)
