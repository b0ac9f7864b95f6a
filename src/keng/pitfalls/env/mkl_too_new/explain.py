"""Error messages: mKL is newer than a PyTorch of conda was built for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("without-its-profiler")
def without_its_profiler(failure: Failure) -> Hits:
    yield failure.hit(say("mkl-later-lack-pytorch", what=failure.groups["what"]))
