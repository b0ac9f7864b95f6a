"""Error messages: a DataLoader is made over a dataset that is empty."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-to-shuffle")
def nothing_to_shuffle(failure: Failure) -> Hits:
    yield failure.hit(say("order-no-samples-drawn"))


@explains("nothing-to-draw-from")
def nothing_to_draw_from(failure: Failure) -> Hits:
    yield failure.hit(
        f"{_given(failure.line)} is empty: see the path, the pattern and the filter it was made of"
    )


def _given(line: str) -> str:
    """What the failing line gives to its DataLoader, as far as it can be read."""
    try:
        calls = [node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return "the dataset"
    names = [call.args[0].id for call in calls if call.args and isinstance(call.args[0], ast.Name)]
    return f"`{names[0]}`" if names else "the dataset"


@explains("no-batch")
def no_batch(failure: Failure) -> Hits:
    where = failure.groups.get("where")
    cause = "the dataset is empty, or smaller than a batch that drop_last drops"
    if where:
        cause = f"nothing was found for {where}: images/ and labels/ have the same names; delete the .cache file"
    yield failure.hit(f"there is no batch to take: {cause}")


@explains("nothing-taken")
def nothing_taken(failure: Failure) -> Hits:
    labels = failure.groups.get("labels")
    says = say("no-image-was-found", path=failure.groups.get("path"))
    if labels:
        says = say("every-image-left-out", labels=labels)
    yield failure.hit(says)


@explains("not-at-that-path")
def not_at_that_path(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-images-at", path=failure.groups["path"]))


@explains("nothing-annotated")
def nothing_annotated(failure: Failure) -> Hits:
    if failure.kind == "AssertionError":  # Detectron2's
        yield failure.hit(say("no-image-left-annotations"))
