"""Error messages: a label is not among the model's classes."""

from __future__ import annotations

import re

from keng.explain.advice.edits import constructor
from keng.explain.failure import Failure
from keng.explain.inspecting.values import are_readable_labels, first_true
from keng.explain.live import LiveError
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.run.labels import Labels
from keng.source import Code

IGNORED = 255
MASKS = re.compile(
    r"\b(?:(?:true|gt|target|seg|pred)_)?masks?\b|segmentation|\bseg\b|unet|loss2d|SpatialClassNLL|deeplab",
    re.IGNORECASE,
)
"""Of images with a class for each pixel."""
ANEW = "labels numbered anew from 0, as where they count from 1"
LATE = "; the GPU tells late, so the line shown may come after the loss"
OF_ONE_HOT = {
    "non-negative": "one below 0, which marks what is left out as a rule: take it out, or clamp(min=0) and "
    "leave it out of the loss",
    "smaller than num_cl": "one that is too large; with C classes labels are 0 to C - 1: they count from 1, "
    "or are 255 or the grey values of a mask, or more classes",
}
"""What one_hot says of labels -> what they hold."""


LOSSES = ("cross_entropy", "nll_loss")


@explains("label-beyond-the-outputs")
def label_beyond_the_outputs(failure: Failure) -> Hits:
    labels, label = failure.live.ask(_label_range), failure.groups.get("label")
    if labels is not None:
        fix, says = _labelled_anew(failure, labels), f"{labels.verdict}{labels.first_at}"
        yield failure.hit(says, fix, lowest=labels.lowest, highest=labels.highest)
    else:
        yield failure.hit(_of_no_class(failure, label) if label else _of_some_class(failure))


@explains("label-told-late")
def label_told_late(failure: Failure) -> Hits:
    yield failure.hit(_of_some_class(failure))


@explains("one-hot-of-no-class")
def one_hot_of_no_class(failure: Failure) -> Hits:
    names = [operand.name for operand in failure.live.operands]
    labels = f"`{names[0]}` holds" if len(names) == 1 else "the labels hold"
    yield failure.hit(f"{labels} {OF_ONE_HOT[failure.groups['bound']]}")


@explains("more-classes-than-said")
def more_classes_than_said(failure: Failure) -> Hits:
    what, classes, found = (failure.groups[key] for key in ("what", "classes", "found"))
    says = f"num_classes is {classes}, and `{what}` holds {found} different values: as many as there are classes, or ignore_index= for a 255 or -1 that marks none"
    named = say("head-has-classes-dataset", n=classes, found=found)
    yield failure.hit(says if what in ("target", "preds") else named)


@explains("class-of-a-box")
def class_of_a_box(failure: Failure) -> Hits:
    label, classes = int(failure.groups["label"]), int(failure.groups["classes"])
    says = say("label-not-among-classes", last=label, classes=classes, value=classes - 1)
    yield failure.hit(says)


@explains("values-of-other-classes")
def values_of_other_classes(failure: Failure) -> Hits:
    values = failure.groups["values"].removeprefix("tensor(").partition("]")[0] + "]"
    yield failure.hit(_in_a_metric(failure.groups["what"], values, failure.groups["allowed"]))


@explains("model-of-more-classes")
def model_of_more_classes(failure: Failure) -> Hits:
    yield failure.hit(say("model-has-other-classes", classes=failure.groups["classes"]))


def _labelled_anew(failure: Failure, labels: Labels) -> Fix | None:
    """Labels that count from 1 become smaller, and what marks no class is left out."""
    if ": ignore_index" in labels.verdict:
        left = labels.lowest if labels.lowest < 0 else labels.highest
        fix: Fix | None = failure.ask_line(_leaving_out, failure.layer_name, left)
        return fix
    name = failure.loss_argument_name(1, "") if "subtract 1" in labels.verdict else ""
    return failure.rewrite(name, "{} - 1")


def _leaving_out(code: Code, line: int, path: str, label: int) -> Fix | None:
    """A fix that makes a loss, named by its path, leave a label out."""
    made = constructor(code, path, line) if path else None
    if made not in code.tree.parent or code.calls.argument(made, "ignore_index") is not None:
        return None
    return code.edits.add_argument(made, f"ignore_index={label}", "Leave it out", "shown")


def _of_no_class(failure: Failure, label: str) -> str:
    """What a label that no output is for tells, and what mends it."""
    number, shown = int(label), MASKS.search(_shown(failure))
    if number < 0:
        return f"label {label} is no class: ignore_index={label} where it marks what is left out, or {ANEW}"
    if number == 1:  # the second class of a model of one
        says = "label 1 is not among the classes of the model, as it has one output"
        return f"{says}: two for cross_entropy, or BCEWithLogitsLoss and labels.float() for one"
    says = f"label {label} is not among the classes of the model, 0 to C - 1"
    if number == IGNORED:
        left = "ignore_index=255 where it marks what is left out"
        return f"{says}: {left}, (mask > 0).long() for masks of 0 and 255"
    more = f"{number + 1} outputs or more"
    if shown:
        cure = "the grey values or colours of masks are mapped to these"
        return f"{says} with the background: {cure}, or {more}"
    grey = " or are grey values" if 20 < number < IGNORED else ""
    return f"{says}: {more} (num_labels, num_classes), or {ANEW}{grey}"


def _shown(failure: Failure) -> str:
    lines = [frame.text for frame in failure.frames]
    return "\n".join((*lines, failure.message, failure.surrounding, failure.context))


def _of_some_class(failure: Failure) -> str:
    """The same where the label is not told."""
    late = LATE if ".cu:" in failure.message else ""
    known = "is not among the classes of the model, 0 to C - 1"
    if MASKS.search(_shown(failure)):
        shows = "mask.unique() shows grey values, 255 or one too many"
        return f"a mask holds a value that {known} with the background: {shows}{late}"
    shows = "labels.unique() shows whether they count from 1, hold -1, 255 or grey values, or one too many"
    return f"a label {known}: {shows}{late}"


def _in_a_metric(what: str, values: str, allowed: str) -> str:
    """What to do where a metric of two classes is given other values."""
    says = f"`{what}` holds {values[:80]}, and a metric of two classes takes {allowed}"
    numbers = set(re.findall(r"-?\d+", values))
    if {"-1", "-100"} & numbers:
        return f"{says}: ignore_index= for what is left out"
    return f"{says}: " + ("`> 0`" if len(numbers) < 3 else 'task="multiclass", or `> 0`')


def _label_range(error: LiveError) -> Labels | None:
    """The range of the class labels that a loss was given."""
    for frame in reversed(error.frames):
        code = frame.f_code
        if code.co_name in LOSSES and code.co_filename.endswith("functional.py"):
            scores, target = frame.f_locals["input"], frame.f_locals["target"]
            if not are_readable_labels(target, error.torch):
                return None
            mattering = target != frame.f_locals["ignore_index"]
            kept = target[mattering]
            classes = int(scores.shape[1] if scores.dim() > 1 else scores.shape[0])
            first = first_true(mattering & ((target < 0) | (target >= classes)))
            return Labels(int(kept.min()), int(kept.max()), classes, first)
    return None
