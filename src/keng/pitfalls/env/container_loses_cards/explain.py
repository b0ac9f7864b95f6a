"""Error messages: a container that runs loses its cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("taken-by-systemd")
def taken_by_systemd(failure: Failure) -> Hits:
    yield failure.hit(
        "this container has lost its cards, as `systemctl daemon-reload` on the host takes them away: start it again; with "
        "cgroupfs as Docker's driver they stay"
    )
