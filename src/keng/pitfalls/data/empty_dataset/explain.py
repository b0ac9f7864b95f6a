"""Error messages: a DataLoader is made over a dataset that is empty."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-to-draw-from")
def nothing_to_draw_from(failure: Failure) -> Hits:
    name = _given(failure.line)
    yield failure.hit(say("named-dataset-empty", name=name) if name else say("dataset-empty"))


@explains("no-batch")
def no_batch(failure: Failure) -> Hits:
    where = failure.groups.get("where")
    yield failure.hit(say("nothing-found", where=where) if where else say("no-batch-at-all"))


@explains("nothing-taken")
def nothing_taken(failure: Failure) -> Hits:
    labels = failure.groups.get("labels")
    if labels:
        yield failure.hit(say("every-image-skipped", labels=labels))
    else:
        yield failure.hit(say("no-image-found", path=failure.groups.get("path")))


@explains("nothing-annotated")
def nothing_annotated(failure: Failure) -> Hits:
    if failure.kind == "AssertionError":  # Detectron2's
        yield failure.hit(say("no-annotated-image"))


def _given(line: str) -> str:
    """What the failing line gives to its DataLoader, as far as it can be read."""
    try:
        calls = [node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Call)]
    except SyntaxError:
        return ""
    names = [call.args[0].id for call in calls if call.args and isinstance(call.args[0], ast.Name)]
    return names[0] if names else ""
