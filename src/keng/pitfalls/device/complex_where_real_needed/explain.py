"""Error messages: a function for real numbers gets complex ones, or two columns that are not two."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("loss-is-complex")
def loss_is_complex(failure: Failure) -> Hits:
    yield failure.hit(say("loss-complex-backward-starts"))


@explains("without-an-order")
def without_an_order(failure: Failure) -> Hits:
    yield failure.hit(say("knows-no-complex-numbers", op=failure.groups["op"]))


@explains("half-of-it-dropped")
def half_of_it_dropped(failure: Failure) -> Hits:
    yield failure.hit(say("imaginary-part-dropped-on"))


@explains("no-pairs")
def no_pairs(failure: Failure) -> Hits:
    yield failure.hit(say("last-dimension-not-real"))


@explains("no-floats")
def no_floats(failure: Failure) -> Hits:
    yield failure.hit(say("pairs-floats-make-complex", came=failure.groups["came"]))
