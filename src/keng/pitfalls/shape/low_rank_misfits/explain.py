"""Error messages: a few values or components are asked for that the matrix does not have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("more-than-its-rank")
def more_than_its_rank(failure: Failure) -> Hits:
    q, n = failure.groups["q"], failure.groups["n"]
    yield failure.hit(
        f"q={q} components are asked for, and a matrix of these sizes has {n} at most"
    )


@explains("too-small")
def too_small(failure: Failure) -> Hits:
    rows, k = failure.groups["rows"], failure.groups["k"]
    yield failure.hit(
        f"the matrix has {rows} rows, and k={k} wants {3 * int(k)} of them: torch.linalg.eigh for small ones"
    )


@explains("no-square")
def no_square(failure: Failure) -> Hits:
    yield failure.hit(
        f"a matrix of shape {failure.groups['came']} has no eigenvalues: a square one, or its singular values"
    )
