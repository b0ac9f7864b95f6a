"""Error messages: `fully_shard` is given a mesh, a placement or a model that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], failure.groups["n"]
    single = say("shard-beyond-only-dimension", dim=dim)
    yield failure.hit(single if n == "1" else say("shard-beyond-dimension", dim=dim, n=n))


@explains("cut-unevenly")
def cut_unevenly(failure: Failure) -> Hits:
    dim, shape, ranks = (failure.groups[key] for key in ("dim", "shape", "ranks"))
    yield failure.hit(say("cut-unevenly", shape=shape, dim=dim, ranks=ranks))


@explains("of-several-dtypes")
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(say("unit-of-several-dtypes"))
