"""Error messages: a metric gets scores or labels in another form than it takes."""

from __future__ import annotations

from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.loss._shared_explain import reordering_call, unit_dimension_call
from keng.rules import explains


@explains("not-told")
def not_told(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["other"]
    task = failure.groups.get("task") or "multiclass"
    example = 'mdmc_average="global"' if "mdmc" in what else f'task="{task}", {what}=...'
    if what == "task":
        example = 'task="binary", or task="multiclass", num_classes=C'
    yield failure.hit(say("metric-not-told", example=what, example_2=example))


@explains("labels-that-are-floats")
def labels_that_are_floats(failure: Failure) -> Hits:
    dtype = failure.groups.get("dtype")
    yield failure.hit(say("labels-classes-whole-numbers", dtype=dtype or "floats"))


@explains("classes-for-scores")
def classes_for_scores(failure: Failure) -> Hits:
    yield failure.hit(say("predictions-metric-scores-what", dtype=failure.groups["dtype"]))


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
    cure = _one_form(target, given)
    yield failure.hit(f"the scores are ({given}), the labels ({target}): {cure}")


def _one_form(target: str, given: str) -> str:
    """What to do with the labels and the scores of a metric that compares one by one: "2, 1, 96, 96"."""
    there, here = ([int(size) for size in each.split(", ") if size] for each in (target, given))
    if exchanged := reordering_call(there, here):
        return f"two dimensions are exchanged: labels{exchanged}"
    if form := unit_dimension_call(there, here):
        return f"labels{form}"
    if len(here) == len(there) + 1:
        return "argmax(1) of the scores, or a metric of classes"
    if len(here) != len(there) or [*here[:1], *here[2:]] != [*there[:1], *there[2:]]:
        return "one form for both"
    if there[1:2] == [1]:
        return f"the labels are to be {here[1]} channels, one-hot: to_onehot_y=True of MONAI"
    if here[1:2] == [1]:
        return f"one channel meets labels of {there[1]}: out_channels={there[1]}, or labels of one"
    return _of_other_channels(there, here) if len(here) > 3 else "one form for both"


def _of_other_channels(there: Sequence[int], here: Sequence[int]) -> str:
    """Of maps alone: those of both have several channels."""
    if here[1] == there[1]:
        return "one form for both"
    return (
        f"labels of {there[1]} channels meet {here[1]} of the model: out_channels={there[1]}, or "
        f"labels of one channel with class numbers, which to_onehot_y=True of MONAI turns into {here[1]}"
    )
