"""Error messages: a batch for a detector is joined as if all its images were alike."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LOSSES = re.compile(r"\b(?:loss|losses)\w{0,10}\.(?:values|items|keys)\(")


@explains("one-dict-of-all")
def one_dict_of_all(failure: Failure) -> Hits:
    if any("torchvision/models/detection/" in f.posix for f in failure.frames):
        yield failure.hit(say("targets-one-dict-whole"))


@explains("predictions-and-no-losses")
def predictions_and_no_losses(failure: Failure) -> Hits:
    if LOSSES.search(failure.line):
        yield failure.hit(say("list-came-no-dict"))
