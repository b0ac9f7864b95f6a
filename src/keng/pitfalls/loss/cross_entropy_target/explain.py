"""Error messages: cross-entropy gets labels of another type or shape than it takes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits
from keng.pitfalls.loss.cross_entropy_target._shared import LOSSES
from keng.rules import explains

MEANT = "; with one output, a binary loss or a regression may be meant"


ROWS = "a target in the shape of the scores is taken for probabilities: one-hot rows as argmax(1), several labels a row as .float() in BCEWithLogitsLoss"

COLUMN = "squeeze(1) for a column, argmax(1) for one-hot vectors"
SEVERAL = f"{COLUMN}, BCEWithLogitsLoss where a sample has several labels"
MAPS = "squeeze(1) for one channel, argmax(1) for one-hot maps; colours are to become class numbers"
OF_AN_IMAGE = (
    "one label an image meets maps of scores: pooling and flatten(1) before the last layer"
)
SPATIAL = re.compile(
    r"spatial targets.{0,60}? of (?:dimension: (?P<dims>\d)|size: ?:? ?\[(?P<sizes>[\d, ]{1,60}))"
)


@explains("another-type")
def another_type(failure: Failure) -> Hits:
    name = failure.loss_argument_name(1, "")
    says = f"{name or 'the target'} is of type {failure.groups['came'].lower()}"
    if failure.groups["came"] == "Int":
        says += ", as NumPy before 2 makes them on Windows"
    lost, measured = failure.live.loss_inputs, failure.groups["came"] in ("Float", "Double")
    one = lost[0].shape[1:] == (1,) if lost else False
    more = MEANT if one or (measured and not lost) else ""
    says += f"; class numbers are long: `{name.strip('`') or 'labels'}.long()`{more}"
    yield failure.hit(says, failure.rewrite("" if one else name, "{}.long()"))


@explains("another-type-in-a-loss")
def another_type_in_a_loss(failure: Failure) -> Hits:
    lost = any(frame.function.endswith((*LOSSES, "margin_loss")) for frame in failure.frames)
    if lost or any(
        loss in failure.surrounding for loss in ("CrossEntropyLoss", "NLLLoss", *LOSSES)
    ):
        yield from another_type(failure)


@explains("another-type-alone")
def another_type_alone(failure: Failure) -> Hits:
    if not failure.frames and not failure.line_uses_torch:
        yield from another_type(failure)


@explains("another-shape")
def another_shape(failure: Failure) -> Hits:
    name = failure.loss_argument_name(1, "the target")
    if len(failure.live.loss_inputs) != 2:
        shape = f"{name} has another shape than class numbers have: {_labels_apart(failure)}"
        yield failure.hit(ROWS if "class probabilities" in failure.message else shape)
        return
    yield failure.hit(*_scores_and_labels(failure, name, _labels_apart(failure)))


@explains("weight-of-another-length")
def weight_of_another_length(failure: Failure) -> Hits:
    came, classes = failure.groups["came"], failure.groups["classes"]
    cure = f", or a last layer of {came}" if came.isdigit() else ""
    yield failure.hit(
        f"`weight` has the shape ({came}), but the scores have {classes} classes: one weight for each{cure}"
    )


def _labels_apart(failure: Failure) -> str:
    """What to do with class numbers of another shape, as far as the message tells it."""
    spatial = SPATIAL.search(failure.message)
    if spatial is not None:
        sizes = re.findall(r"\d+", spatial["sizes"] or "")
        ones = [n for n in (1, 3) if len(sizes) == 4 and sizes[n] == "1"]
        one = f"squeeze({ones[0]}) takes the extra dimension off" if ones else MAPS
        return OF_AN_IMAGE if spatial["dims"] in ("0", "1") else one
    wants, came = (re.findall(r"\d+", failure.groups.get(name, "")) for name in ("wants", "came"))
    if not wants:
        return SEVERAL
    if came == [*wants[:1], "1", *wants[1:]]:
        return "squeeze(1) takes the extra dimension off"
    if len(came) == len(wants) == 2:
        last = f"are {wants[1]} the classes, they come last in the scores: scores.transpose(1, 2)"
        return f"{last}; else both of one length"
    if len(came) < len(wants):
        more = "the scores have a dimension more, of steps or places"
        return f"{more}: scores[:, -1], a pooling, or a label for each"
    resized = "F.interpolate(scores, size=...) where only the sizes differ"
    return f"they are to be ({', '.join(wants)}): {resized}"


def _scores_and_labels(failure: Failure, name: str, otherwise: str) -> tuple[str, Fix | None]:
    """How the shapes of scores and of their labels differ, and what brings them together."""
    scores, labels = (operand.shape for operand in failure.live.loss_inputs)
    wants = (scores[0], *scores[2:])
    says = f"{name} has the shape {labels}; scores of shape {scores} want class numbers of shape {wants}"
    fix, single = None, _single_too_many(scores, labels)
    if single:
        cure = f"the scores have a dimension of 1 too many: squeeze({single})"
        fix = failure.rewrite(failure.loss_argument_name(0, ""), f"{{}}.squeeze({single})")
    elif labels == scores:
        cure = "one-hot: argmax(1) gives the numbers, or float() the probabilities"
        if failure.live.loss_inputs[0].dtype == "int64":
            cure = "the scores are class numbers already: the outputs before argmax"
    elif labels == (scores[0], 1, *scores[2:]):
        cure = "squeeze(1) takes the extra dimension off"
        fix = failure.rewrite(name, "{}.squeeze(1)")
    elif labels == scores[:-1]:
        cure = "the classes come last in the scores: move them to the second dimension"
    elif len(labels) == len(scores) == 2 and labels[0] == scores[0]:
        several = "BCEWithLogitsLoss where several of them are 1"
        cure = f"a last layer of {labels[1]} for rows of so many, {several}"
    else:
        cure = otherwise
    return f"{says}; {cure}", fix


def _single_too_many(scores: tuple[int, ...], labels: tuple[int, ...]) -> int:
    """The dimension of 1 without which scores of several classes would fit; 0 where there is none."""
    for dim in range(1, len(scores)):
        rest = scores[:dim] + scores[dim + 1 :]
        if scores[dim] == 1 and len(rest) > 1 < rest[1] and labels == (rest[0], *rest[2:]):
            return dim
    return 0
