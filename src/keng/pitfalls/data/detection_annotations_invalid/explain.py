"""Error messages: boxes or annotation files of a detection dataset are wrong."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("boxes-of-another-shape")
def boxes_of_another_shape(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("torch.Size(").removesuffix(")")
    yield failure.hit(say("boxes-shape", came=came))


@explains("outside-of-the-image")
def outside_of_the_image(failure: Failure) -> Hits:
    side, value = failure.groups["side"], failure.groups.get("value")
    box = failure.groups["box"]
    if not value:
        yield failure.hit(say("box-is-empty", side=side, box=box))
    elif abs(float(value) - 0.5) < 0.6:
        yield failure.hit(say("box-leaves-image", side=side, value=value, box=box))
    else:
        yield failure.hit(say("box-of-another-format", side=side, value=value, box=box))


@explains("of-another-dtype")
def of_another_dtype(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"]
    if what != "labels":
        yield failure.hit(say("target-not-float", what=what))
    elif came:
        yield failure.hit(say("labels-of-dtype", came=came))
    else:
        yield failure.hit(say("labels-not-int64"))


@explains("pixels-for-shares")
def pixels_for_shares(failure: Failure) -> Hits:
    yield failure.hit(say("pixels-in-label-file", values=failure.groups["values"].strip()))


@explains("labels-of-another-task")
def labels_of_another_task(failure: Failure) -> Hits:
    wanted, came = failure.groups["wanted"], failure.groups["came"]
    if came:
        yield failure.hit(say("columns-differ", came=came, wanted=wanted))
    else:
        yield failure.hit(say("columns-needed", wanted=wanted))


@explains("ids-twice")
def ids_twice(failure: Failure) -> Hits:
    file = failure.groups.get("file")
    yield failure.hit(say("ids-repeated-in", file=file) if file else say("ids-repeated"))


@explains("no-such-category")
def no_such_category(failure: Failure) -> Hits:
    named, predicted = failure.groups.get("named"), failure.groups.get("predicted")
    if named:
        yield failure.hit(say("category-not-listed", named=named))
    else:
        yield failure.hit(say("class-not-in-file", predicted=predicted))


@explains("no-image-of-its-classes")
def no_image_of_its_classes(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind:
        yield failure.hit(say("named-dataset-empty", kind=kind))
    elif any("/mmdet/" in f.posix or "/mmengine/" in f.posix for f in failure.frames):
        yield failure.hit(say("dataset-empty"))


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(say("label-negative", values=failure.groups["values"].strip()))
