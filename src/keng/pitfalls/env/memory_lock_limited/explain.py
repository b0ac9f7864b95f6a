"""Error messages: the limit of locked memory is too small for the network cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("too-little-to-lock")
def too_little_to_lock(failure: Failure) -> Hits:
    yield failure.hit(
        "the shell or container may lock too little memory for the network card: ulimit -l unlimited, for a container --ulimit memlock=-1"
    )
