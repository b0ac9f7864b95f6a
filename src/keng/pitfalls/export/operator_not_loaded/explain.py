"""Error messages: an operator of a library is used before the library is loaded."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-registered")
def not_registered(failure: Failure) -> Hits:
    home, name = failure.groups["home"], failure.groups["name"]
    yield failure.hit(say("no-library-has-registered-2", home=home, name=name))


@explains("no-kernel-for-the-device")
def no_kernel_for_the_device(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(say("has-no-kernel-library", backend=op, backend_2=backend))


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    yield failure.hit(say("no-library-has-registered", op=failure.groups["op"]))


@explains("left-out-by-the-linker")
def left_out_by_the_linker(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-s-own-program", op=failure.groups["op"]))
