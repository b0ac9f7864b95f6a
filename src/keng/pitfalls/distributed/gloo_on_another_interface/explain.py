"""Error messages: the processes of gloo meet on network interfaces that do not reach each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-reached")
def not_reached(failure: Failure) -> Hits:
    yield failure.hit(
        "gloo has taken a network interface that the others do not reach: GLOO_SOCKET_IFNAME=eth0 on each machine, the one that `ip -br addr` "
        "shows with the right address; lo where there is one machine alone"
    )


@explains("without-a-name")
def without_a_name(failure: Failure) -> Hits:
    yield failure.hit(
        "gloo finds no address for the name of this machine: GLOO_SOCKET_IFNAME with an interface, or the name with 127.0.0.1 in the hosts file"
    )
