"""Error messages: the address at which processes are to meet does not work."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ANOTHER = "--master-port=29501 (torchrun), --main_process_port (accelerate) or MASTER_PORT, or end that one"


@explains("port-is-held")
def port_is_held(failure: Failure) -> Hits:
    held = "is held by another run on this machine, or by a former one that has not ended"
    yield failure.hit(f"port {failure.groups['port']} {held}: {ANOTHER}")


@explains("some-port-is-held")
def some_port_is_held(failure: Failure) -> Hits:
    if "server socket has failed" not in failure.message:
        held = "the port is held by another run on this machine, by one that has not ended, or by a process of this program, where each was told rank 0"
        yield failure.hit(f"{held}: {ANOTHER}")


@explains("no-libuv")
def no_libuv(failure: Failure) -> Hits:
    yield failure.hit(say("build-has-no-libuv"))


@explains("interface-is-not-there")
def interface_is_not_there(failure: Failure) -> Hits:
    name = failure.groups["interface"]
    yield failure.hit(say("there-no-network-interface", name=name))
