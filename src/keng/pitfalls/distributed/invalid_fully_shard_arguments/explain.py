"""Error messages: `fully_shard` is given a mesh, a placement or a model that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], failure.groups["n"]
    noun = "dimension" if n == "1" else "dimensions"
    yield failure.hit(
        f"shard_placement_fn answers Shard({dim}) for a parameter of {n} {noun}, as a bias or a norm's weight is: None for those"
    )


@explains("cut-unevenly")
def cut_unevenly(failure: Failure) -> Hits:
    dim, shape, ranks = (failure.groups[key] for key in ("dim", "shape", "ranks"))
    yield failure.hit(say("parameter-cut-along-dimension", ranks=shape, dim=dim, ranks_2=ranks))


@explains("of-several-dtypes")
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(say("what-learns-one-part"))
