"""Error messages: cross-entropy gets labels of another type or shape than it takes."""

from __future__ import annotations

from keng.explain.advice.inputs import scores_and_labels
from keng.explain.advice.losses import labels_apart
from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.loss.cross_entropy_target._shared import LOSSES
from keng.rules import explains

MEANT = "; with one output, a binary loss or a regression may be meant"


ROWS = "a target in the shape of the scores is taken for probabilities: one-hot rows as argmax(1), several labels a row as .float() in BCEWithLogitsLoss"


@explains("another-type")
def another_type(failure: Failure) -> Hits:
    name = failure.lost_as(1, "")
    says = f"{name or 'the target'} is of type {failure.groups['came'].lower()}"
    if failure.groups["came"] == "Int":
        says += ", as NumPy before 2 makes them on Windows"
    lost, measured = failure.live.lost, failure.groups["came"] in ("Float", "Double")
    one = lost[0].shape[1:] == (1,) if lost else False
    more = MEANT if one or (measured and not lost) else ""
    says += f"; class numbers are long: `{name.strip('`') or 'labels'}.long()`{more}"
    yield failure.hit(says, failure.turned("" if one else name, "{}.long()"))


@explains("another-type-in-a-loss")
def another_type_in_a_loss(failure: Failure) -> Hits:
    lost = any(frame.function.endswith((*LOSSES, "margin_loss")) for frame in failure.frames)
    if lost or any(loss in failure.around for loss in ("CrossEntropyLoss", "NLLLoss", *LOSSES)):
        yield from another_type(failure)


@explains("another-type-alone")
def another_type_alone(failure: Failure) -> Hits:
    if not failure.frames and not failure.written_for_torch:
        yield from another_type(failure)


@explains("another-shape")
def another_shape(failure: Failure) -> Hits:
    name = failure.lost_as(1, "the target")
    if len(failure.live.lost) != 2:
        shape = f"{name} has another shape than class numbers have: {labels_apart(failure)}"
        yield failure.hit(ROWS if "class probabilities" in failure.message else shape)
        return
    yield failure.hit(*scores_and_labels(failure, name, labels_apart(failure)))


@explains("weight-of-another-length")
def weight_of_another_length(failure: Failure) -> Hits:
    came, classes = failure.groups["came"], failure.groups["classes"]
    cure = f", or a last layer of {came}" if came.isdigit() else ""
    yield failure.hit(
        f"`weight` has the shape ({came}), but the scores have {classes} classes: one weight for each{cure}"
    )
