"""Error messages: conda installs packages over each other, or a damaged one."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("over-each-other")
def over_each_other(failure: Failure) -> Hits:
    what, path = failure.groups["what"].rpartition("::")[2], failure.groups["path"]
    if "torch" in failure.message or failure.mentions_torch:
        yield failure.hit(say("comes-another-package-too", what=path, what_2=what))
