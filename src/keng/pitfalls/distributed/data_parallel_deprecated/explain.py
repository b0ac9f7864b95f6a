"""Error messages: several cards are driven by one process."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

INSTALLED = re.compile(r"-packages/(?!torch/)(\w+)/")


@explains("replicas-have-no-parameters")
def replicas_have_no_parameters(failure: Failure) -> Hits:
    cards = any("parallel_apply.py" in frame.path for frame in failure.frames)
    if cards or failure.groups.get("what"):
        library = INSTALLED.search(failure.raised_in)
        says = say("replica-without-parameters")
        if library is not None:
            says = say("library-asks-replica", library=library[1])
        yield failure.hit(says)
