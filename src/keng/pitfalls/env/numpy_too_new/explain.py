"""Error messages: numPy 2 is installed beside a PyTorch that was compiled for NumPy 1."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env._shared_explain import innermost_package
from keng.rules import explains


@explains("compiled-for-numpy-one")
def compiled_for_numpy_one(failure: Failure) -> Hits:
    yield failure.hit(_compiled_for_one(failure))


@explains("array-that-is-none")
def array_that_is_none(failure: Failure) -> Hits:
    yield failure.hit(say("torch-does-not-know"))


@explains("built-without")
def built_without(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-was-built-where"))


def _compiled_for_one(failure: Failure) -> str:
    """What does not work with NumPy 2."""
    name, there = innermost_package(failure), failure.groups.get("there")
    if "_ARRAY_API" in failure.message and name not in ("", "torch", "numpy"):
        says = f"`{name}` was compiled for NumPy 1, and NumPy 2 is installed"
        return f'{says}: pip install -U it, or pip install "numpy<2"'
    if there:
        says = (
            f"NumPy {there} is installed beside what was "
            "compiled for NumPy 1, which the import below it shows"
        )
        return f'{says} (torch up to 2.2): pip install "numpy<2", or a newer release of it'
    if "is not available" in failure.message:
        says = (
            "NumPy is not installed, or is 2 beside a torch that "
            "was compiled for 1 (up to 2.2, later under Windows)"
        )
        return f'{says}: pip install "numpy<2", or a newer torch'
    says = "NumPy 2 is installed beside what was compiled for NumPy 1"
    return f'{says}: pip install "numpy<2", or update PyTorch'
