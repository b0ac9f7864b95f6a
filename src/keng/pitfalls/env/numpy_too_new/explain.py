"""Error messages: numPy 2 is installed beside a PyTorch that was compiled for NumPy 1."""

from __future__ import annotations

from keng.explain.advice.arrays import compiled_for_one
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("compiled-for-numpy-one")
def compiled_for_numpy_one(failure: Failure) -> Hits:
    yield failure.hit(compiled_for_one(failure))


@explains("array-that-is-none")
def array_that_is_none(failure: Failure) -> Hits:
    yield failure.hit(
        "torch does not know this NumPy's arrays: pip install 'numpy<2', or a newer torch, then restart the kernel of a notebook"
    )


@explains("built-without")
def built_without(failure: Failure) -> Hits:
    yield failure.hit(
        "this PyTorch was built where no NumPy was found, or a broken one is imported: a published wheel in a fresh "
        "environment, or NumPy first and build again"
    )
