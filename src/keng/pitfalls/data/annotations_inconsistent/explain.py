"""Error messages: the annotations of a detection data set contradict each other, or lack a part."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


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
