"""Error messages: a function gets a tensor of another number of dimensions than it takes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    what = failure.groups.get("what", "").removeprefix("tensor.") or say("the-layer")
    wants, came = failure.groups["wants"].replace("D", ""), failure.groups["came"]
    least = re.search(r"\d", wants)
    if int(came) < int(least[0] if least else 2):
        yield failure.hit(say("too-few-dimensions", what=what, wants=wants, came=came))
    else:
        yield failure.hit(say("too-many-dimensions", what=what, wants=wants, came=came))
