"""Error messages: a library counts on a field of length 1 being a single value."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LIBRARY = re.compile(r"(?:site|dist)-packages[/\\](\w{1,60})")


@explains("warned-of-a-length-of-one")
def warned_of_a_length_of_one(failure: Failure) -> Hits:
    found = LIBRARY.search(failure.message)
    old = say("old-library-describes-dtype")
    yield failure.hit(say("library-describes-dtype", library=found[1]) if found else old)
