"""Error messages: a dataset's length is not that of its data."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PICKED = re.compile(r"\b((?:self\.)?\w+)\[(?:idx|index|item)\]")
"""What is picked by the index that was asked for; an `i` may be another one."""


@explains("more-than-was-said")
def more_than_was_said(failure: Failure) -> Hits:
    length, came = failure.groups["length"], failure.groups["came"]
    yield failure.hit(say("stream-says-has-samples", gives=length, came=came))


@explains("past-the-end")
def past_the_end(failure: Failure) -> Hits:
    picked, last = PICKED.findall(failure.line), failure.frames[-2:]
    fetched = len(last) == 2 and "/torch/utils/data/" in last[0].posix
    if picked and fetched and last[1].function == "__getitem__":
        names = " or ".join(f"`{name}`" for name in dict.fromkeys(picked))
        least = f"`return len({picked[-1]})`"
        if " or " in names:
            least = "the shorter one's, and why they differ"
        yield failure.hit(
            f"{names} has fewer items than the dataset's length says{failure.live.fetched.in_brackets}: {least}"
        )
    elif last and "torch/utils/data/" in last[-1].posix and "self.indices[" in last[-1].text:
        says = "the sampler asks a Subset for samples behind its end: it was made for the whole data set"
        yield failure.hit(say("weights-or-indices-subset", says=says))
