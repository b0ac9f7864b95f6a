"""Error messages: a label is not among the model's classes."""

from __future__ import annotations

from keng.explain.advice.fits import labelled_anew
from keng.explain.advice.labelled import OF_ONE_HOT, in_a_metric, of_no_class, of_some_class
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("label-beyond-the-outputs")
def label_beyond_the_outputs(failure: Failure) -> Hits:
    labels, label = failure.live.labels, failure.groups.get("label")
    if labels is not None:
        fix, says = labelled_anew(failure, labels), f"{labels.verdict}{labels.first_at}"
        yield failure.hit(says, fix, lowest=labels.lowest, highest=labels.highest)
    else:
        yield failure.hit(of_no_class(failure, label) if label else of_some_class(failure))


@explains("label-told-late")
def label_told_late(failure: Failure) -> Hits:
    yield failure.hit(of_some_class(failure))


@explains("one-hot-of-no-class")
def one_hot_of_no_class(failure: Failure) -> Hits:
    names = [operand.name for operand in failure.live.operands]
    labels = f"`{names[0]}` holds" if len(names) == 1 else "the labels hold"
    yield failure.hit(f"{labels} {OF_ONE_HOT[failure.groups['bound']]}")


@explains("more-classes-than-said")
def more_classes_than_said(failure: Failure) -> Hits:
    what, classes, found = (failure.groups[key] for key in ("what", "classes", "found"))
    says = f"num_classes is {classes}, and `{what}` holds {found} different values: as many as there are classes, or ignore_index= for a 255 or -1 that marks none"
    named = f"the head has {classes} classes, and the dataset names {found}: num_classes={found}"
    yield failure.hit(says if what in ("target", "preds") else named)


@explains("class-of-a-box")
def class_of_a_box(failure: Failure) -> Hits:
    label, classes = int(failure.groups["label"]), int(failure.groups["classes"])
    says = f"label {label} is not among {classes} classes, 0 to {classes - 1}: number them from 0, or raise nc and names"
    yield failure.hit(says)


@explains("values-of-other-classes")
def values_of_other_classes(failure: Failure) -> Hits:
    values = failure.groups["values"].removeprefix("tensor(").partition("]")[0] + "]"
    yield failure.hit(in_a_metric(failure.groups["what"], values, failure.groups["allowed"]))


@explains("model-of-more-classes")
def model_of_more_classes(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model has other classes than the dataset, which has {failure.groups['classes']}: that number in the section of the config that this model's head reads, and weights that were trained so"
    )
