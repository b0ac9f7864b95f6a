"""Error messages: a dataset's length is not that of its data."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PICKED = re.compile(r"\b((?:self\.)?\w+)\[(?:idx|index|item)\]")
"""What is picked by the index that was asked for; an `i` may be another one."""


@explains("past-the-end")
def past_the_end(failure: Failure) -> Hits:
    picked, last = PICKED.findall(failure.line), failure.frames[-2:]
    fetched = len(last) == 2 and "/torch/utils/data/" in last[0].posix
    if picked and fetched and last[1].function == "__getitem__":
        names, where = [*dict.fromkeys(picked)], failure.live.fetched.in_brackets
        if len(names) == 1:
            yield failure.hit(say("fewer-items", name=names[0], fetched=where))
        else:
            listed = ", ".join(f"`{name}`" for name in names)
            yield failure.hit(say("one-has-fewer-items", names=listed, fetched=where))
    elif last and "torch/utils/data/" in last[-1].posix and "self.indices[" in last[-1].text:
        yield failure.hit(say("sampler-of-whole-dataset"))
