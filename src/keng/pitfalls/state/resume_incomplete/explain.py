"""Error messages: a checkpoint does not hold what the program loads from it."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LOADS = re.compile(
    r"\b(?:\w+\.)*\w*(?:optim|sched|scaler)\w*(?:\[\w+\])?\.load_state_dict\(|\b(?:self\.)?opt\w{0,3}\.load_state_dict\("
)
"""What takes up the state of an optimizer, or of what goes with it."""


@explains("nothing-to-go-on-from")
def nothing_to_go_on_from(failure: Failure) -> Hits:
    line = failure.frames[-1].text if failure.frames else failure.surrounding
    loads, key = LOADS.search(line), failure.groups["key"]
    named = re.search(rf"""\[["']{key}["']\]""", line)
    if failure.kind == "KeyError" and loads and named:
        what = loads[0].partition(".load_state_dict")[0]
        yield failure.hit(say("file-has-no-files", key=key, object=what))
