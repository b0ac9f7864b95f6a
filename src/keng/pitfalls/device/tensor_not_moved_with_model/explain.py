"""Error messages: what goes with a model stays behind when the model or the batch is moved."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MOVES = re.compile(r"\.(?:cuda\(|to\((?:\w{1,20}\.)?(?:device|[\"']cuda|torch\.device))")
STATED = re.compile(
    r"(?P<indent>[ \t>.]{0,40})(?P<model>\w{1,40})(?P<part>(?:\.\w{1,40}|\[-?\d{1,3}\]){0,4})"
    r"(?: = (?P<value>.{1,300})|\.(?:cuda|to)\()"
)
LAYER = re.compile(r"(?:torch\.)?nn\.[A-Z]\w{1,30}\(")


@explains("a-layer-set-behind")
def a_layer_set_behind(failure: Failure) -> Hits:
    layer, model = _set_after_the_move(failure)
    if layer:
        yield failure.hit(say("layer-set-after-move", name=layer, model=model))


@explains("a-metric")
def a_metric(failure: Failure) -> Hits:
    metric = failure.groups["metric"] or say("the-metric")
    yield failure.hit(say("metric-not-moved", metric=metric))


@explains("a-part")
def a_part(failure: Failure) -> Hits:
    what, other, one = (failure.groups[key] for key in ("what", "other", "one"))
    says = say("part-elsewhere", what=what, one=one, other=other)
    if other == "cpu":
        says = say("part-on-cpu", what=what, one=one, other=other)
    elif one == "cpu" and "graph" in failure.message:
        says = say("graph-on-cpu", what=what, one=one, other=other)
    elif one == "cpu":
        says = say("model-on-cpu", what=what, one=one, other=other)
    yield failure.hit(says)


def _set_after_the_move(failure: Failure) -> tuple[str, str]:
    """The layer that the code next to an error, or the file that failed, gives to a model which it has moved
    before and moves no more behind, and the model: "model.fc", "model"."""
    text = (
        failure.code.text if failure.code is not None else f"{failure.context}\n{failure.message}"
    )
    moved: dict[str, int] = {}
    behind: dict[str, str] = {}
    for stated in filter(None, map(STATED.match, text.splitlines())):
        model, part, value = stated["model"], stated["part"], stated["value"] or ""
        moves = not value or MOVES.search(value) is not None
        inner = len(stated["indent"]) < moved.get(model, 1000)  # of another function, perhaps
        if not part:
            moved.pop(model, None)
            behind.pop(model, None)
            if moves:
                moved[model] = len(stated["indent"])
        elif LAYER.match(value) and not (inner or moves or "device" in value):
            behind[model] = f"{model}{part}"
    return next(((layer, model) for model, layer in behind.items()), ("", ""))
