"""Error messages: an optimizer cannot take these options, parameters or gradients."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("sparse-gradients")
def sparse_gradients(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("sparse-gradients-nn-embedding", name=name))


@explains("no-matrix")
def no_matrix(failure: Failure) -> Hits:
    size = failure.groups["size"]
    yield failure.hit(say("parameter-size-no-matrix", size=size))
