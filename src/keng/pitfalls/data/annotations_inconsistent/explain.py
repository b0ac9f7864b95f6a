"""Error messages: the annotations of a detection data set contradict each other, or lack a part."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("polygons-dropped")
def polygons_dropped(failure: Failure) -> Hits:
    yield failure.hit(say("objects-have-no-outline", count=failure.groups["count"]))


@explains("ids-twice")
def ids_twice(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "the annotation file"
    yield failure.hit(say("two-annotations-have-same", file=file))


@explains("results-of-other-images")
def results_of_other_images(failure: Failure) -> Hits:
    yield failure.hit(say("result-names-image-id"))


@explains("no-such-category")
def no_such_category(failure: Failure) -> Hits:
    named, predicted = failure.groups.get("named"), failure.groups.get("predicted")
    if named:
        says = say("annotation-category-file-does", named=named)
    else:
        says = say("model-predicts-class-file", predicted=predicted)
    yield failure.hit(says)


@explains("no-image-of-its-classes")
def no_image_of_its_classes(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or "the dataset"
    if failure.groups["kind"] or any(
        "/mmdet/" in f.posix or "/mmengine/" in f.posix for f in failure.frames
    ):
        yield failure.hit(say("left-without-images-none", kind=kind))


@explains("boxes-among-outlines")
def boxes_among_outlines(failure: Failure) -> Hits:
    outlines, boxes = failure.groups["outlines"], failure.groups["boxes"]
    yield failure.hit(say("boxes-outlines-stand-label", outlines=boxes, outlines_2=outlines))


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(say("label-file-holds-image", values=failure.groups["values"].strip()))
