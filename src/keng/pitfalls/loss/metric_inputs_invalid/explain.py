"""Error messages: a metric gets scores, labels, images or boxes that it does not accept."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.loss._shared_explain import reordering_call, unit_dimension_call
from keng.rules import explains


@explains("not-told")
def not_told(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["other"]
    if what == "task":
        yield failure.hit(say("task-missing"))
    elif "mdmc" in what:
        yield failure.hit(say("multidimensional-option-missing", name=what))
    else:
        task = failure.groups.get("task") or "multiclass"
        yield failure.hit(say("option-missing", name=what, task=task))


@explains("labels-that-are-floats")
def labels_that_are_floats(failure: Failure) -> Hits:
    dtype = failure.groups.get("dtype")
    known = say("labels-classes-whole-numbers", dtype=dtype)
    yield failure.hit(known if dtype else say("labels-are-floats"))


@explains("shapes-that-do-not-fit")
def shapes_that_do_not_fit(failure: Failure) -> Hits:
    preds, target = failure.groups.get("preds"), failure.groups.get("target")
    known = say("shapes-differ", preds=preds, target=target)
    yield failure.hit(known if preds else say("shapes-unknown"))


@explains("of-a-metric")
def of_a_metric(failure: Failure) -> Hits:
    yield failure.hit(_one_form(failure.groups["target"], failure.groups["input"]))


@explains("not-normalized")
def not_normalized(failure: Failure) -> Hits:
    first, second, span = (failure.groups[key] for key in ("first", "second", "span"))
    odd = [
        shape for shape in (first, second) if shape.count(",") != 3 or shape.split(", ")[1] != "3"
    ]
    says = say("values-from-where-taken", values=failure.groups["values"], span=span)
    if odd:
        says = say("images-shape-where-n", shape=odd[0])
    yield failure.hit(says)


@explains("of-different-length")
def of_different_length(failure: Failure) -> Hits:
    key, sample, where, boxes, labels = (
        failure.groups[each] for each in ("key", "sample", "where", "boxes", "labels")
    )
    yield failure.hit(
        say("image-has-labels-one", sample=sample, where=where, boxes=boxes, key=key, labels=labels)
    )


def _one_form(target: str, given: str) -> Message:
    """What to do with the labels and the scores of a metric that compares one by one: "2, 1, 96, 96"."""
    there, here = ([int(size) for size in each.split(", ") if size] for each in (target, given))
    shapes = {"scores": given, "labels": target}
    if exchanged := reordering_call(there, here):
        if exchanged.unsqueezed is None:
            return say("dimensions-exchanged", form=exchanged.form, **shapes)
        at, instead = exchanged.unsqueezed
        form = exchanged.form
        return say(
            "dimensions-exchanged-or-unsqueezed", form=form, here=at, there=instead, **shapes
        )
    if form := unit_dimension_call(there, here):
        return say("unit-dimension", form=form, **shapes)
    if len(here) == len(there) + 1:
        return say("classes-needed", **shapes)
    if len(here) != len(there) or [*here[:1], *here[2:]] != [*there[:1], *there[2:]]:
        return say("other-form", **shapes)
    if there[1:2] == [1]:
        return say("one-hot-needed", n=here[1], **shapes)
    if here[1:2] == [1]:
        return say("one-channel-too-few", n=there[1], **shapes)
    if len(here) > 3 and here[1] != there[1]:
        return say("other-channels", n=there[1], **shapes)
    return say("other-form", **shapes)
