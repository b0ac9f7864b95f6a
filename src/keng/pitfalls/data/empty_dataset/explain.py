"""Error messages: a DataLoader is made over a dataset that is empty."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nothing-to-shuffle")
def nothing_to_shuffle(failure: Failure) -> Hits:
    yield failure.hit(
        "an order of no samples is drawn: the dataset is empty, see the path and the filter"
    )


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
    says = f"no image was found at {failure.groups.get('path')}: `path:`, `train:` and `val:` in data.yaml, and files of .jpg, .png and their kin"
    if labels:
        says = f"every image of {labels} is left out for its labels: the lines `ignoring corrupt image/label` say why; delete that file once they are right"
    yield failure.hit(says)


@explains("not-at-that-path")
def not_at_that_path(failure: Failure) -> Hits:
    yield failure.hit(
        f"there are no images at {failure.groups['path']}: an absolute `path:` in data.yaml, since a relative one is below datasets_dir of the settings"
    )


@explains("nothing-annotated")
def nothing_annotated(failure: Failure) -> Hits:
    if failure.kind == "AssertionError":  # Detectron2's
        yield failure.hit(
            "no image is left with annotations: the ids of images and categories in the file, and images without boxes are left out"
        )
