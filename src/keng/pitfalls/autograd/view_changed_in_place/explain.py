"""Error messages: a view is changed in place where autograd cannot follow."""

from __future__ import annotations

from keng.explain.advice.fits import hooked_and_changed
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("one-of-several")
def one_of_several(failure: Failure) -> Hits:
    node = failure.groups["node"].removesuffix("0").removesuffix("Backward")
    if node == "BackwardHookFunction":
        yield failure.hit(*hooked_and_changed(failure))
        return
    if "custom Function" in failure.message:
        says = (
            f"what `{node}`, a function with a backward of its own, gives shares its input's memory"
        )
        yield failure.hit(f"{says} and is changed in place: a = a + 1, or .clone() it there")
        return
    yield failure.hit(
        f"one of several views, of {node.lower()}, is changed in place: a = a + 1, or clone it first"
    )


@explains("without-history")
def without_history(failure: Failure) -> Hits:
    mode = "no_grad" if failure.groups["mode"] == "no_grad" else "inference mode"
    yield failure.hit(
        f"the view was made under {mode} and is changed in place outside of it: do both inside or both outside"
    )


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    yield failure.hit(
        "what is changed in place shares its memory with other views: a = a + 1, or clone it first"
    )
