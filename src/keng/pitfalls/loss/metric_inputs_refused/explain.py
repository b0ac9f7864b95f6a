"""Error messages: a metric gets scores or labels in another form than it takes."""

from __future__ import annotations

from keng.explain.advice.inputs import one_form
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-told")
def not_told(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["other"]
    task = failure.groups.get("task") or "multiclass"
    example = 'mdmc_average="global"' if "mdmc" in what else f'task="{task}", {what}=...'
    if what == "task":
        example = 'task="binary", or task="multiclass", num_classes=C'
    yield failure.hit(f"the metric is not told its {what}: {example}")


@explains("labels-that-are-floats")
def labels_that_are_floats(failure: Failure) -> Hits:
    dtype = failure.groups.get("dtype")
    yield failure.hit(
        f"the labels are {dtype or 'floats'}, and classes are whole numbers: target.long()"
    )


@explains("classes-for-scores")
def classes_for_scores(failure: Failure) -> Hits:
    yield failure.hit(
        f"the predictions are {failure.groups['dtype']}, and this metric is of scores: what the model gives, before argmax or > 0.5"
    )


@explains("shapes-that-do-not-fit")
def shapes_that_do_not_fit(failure: Failure) -> Hits:
    preds, target = failure.groups.get("preds"), failure.groups.get("target")
    came = f", not {preds} and {target}" if preds else ""
    yield failure.hit(
        f"scores are (N, C, ...) and labels (N, ...){came}: see both shapes, squeeze, or argmax(1) of one-hot labels"
    )


@explains("of-a-metric")
def of_a_metric(failure: Failure) -> Hits:
    given, target = failure.groups["input"], failure.groups["target"]
    cure = one_form(target, given)
    yield failure.hit(f"the scores are ({given}), the labels ({target}): {cure}")
