"""Error messages: a matrix cannot be factorized or inverted."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-square")
def not_square(failure: Failure) -> Hits:
    yield failure.hit(
        "what is inverted or factorized is a square matrix, with batches before it, (N, n, n): lstsq or pinv for one that is not square"
    )


@explains("not-positive-definite")
def not_positive_definite(failure: Failure) -> Hits:
    if failure.groups.get("order") == "1":
        yield failure.hit(
            "the matrix is no covariance: it holds NaN, or its first diagonal element is 0 or below"
        )
        return
    yield failure.hit(
        "the matrix is not positive definite, as not every symmetric one is: a small multiple of the identity where only rounding "
        "made it so, else A @ A.mT + eps * I, or linalg.solve, which takes any"
    )


@explains("no-factor")
def no_factor(failure: Failure) -> Hits:
    yield failure.hit(
        f"cholesky_inverse takes the factor that cholesky gave, in the last two dimensions, and element {failure.groups['n']} of its diagonal is zero: batches come first"
    )


@explains("singular")
def singular(failure: Failure) -> Hits:
    yield failure.hit(
        "the matrix, which is of the last two dimensions, is singular: rows depend on each other; lstsq or pinv, or add to its diagonal"
    )


@explains("not-finite")
def not_finite(failure: Failure) -> Hits:
    finite = "ill" in failure.groups["why"]
    yield failure.hit(
        "the matrix holds NaN, see torch.isfinite(a).all(), or is ill-conditioned: float64"
        if finite
        else "the matrix holds NaN or infinity, of the data or of weights that diverged: torch.isfinite(x).all() finds where it begins"
    )


@explains("decomposition-in-old-words")
def decomposition_in_old_words(failure: Failure) -> Hits:
    yield failure.hit(
        "the decomposition does not converge: NaN or infinity in the matrix, or float64 is needed"
    )
