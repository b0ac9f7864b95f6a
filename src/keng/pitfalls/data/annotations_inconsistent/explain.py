"""Error messages: the annotations of a detection data set contradict each other, or lack a part."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("polygons-dropped")
def polygons_dropped(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['count']} objects have no outline that can be read, and are left out: each polygon a flat list of an even number of at least 6 numbers, or RLE"
    )


@explains("ids-twice")
def ids_twice(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "the annotation file"
    yield failure.hit(
        f"two annotations of {file} have the same id, as after joining files: number them anew, from 1"
    )


@explains("results-of-other-images")
def results_of_other_images(failure: Failure) -> Hits:
    yield failure.hit(
        "a result names an image_id that the annotation file does not have: the file of these very images, and its ids, numbers and not file names"
    )


@explains("no-such-category")
def no_such_category(failure: Failure) -> Hits:
    named, predicted = failure.groups.get("named"), failure.groups.get("predicted")
    if named:
        says = f"an annotation is of category {named}, which `categories` of the file does not list: one side counts from 0 and the other from 1, or it was taken out there"
    else:
        says = f"the model predicts class {predicted}, and the file has fewer categories: NUM_CLASSES as many as there are"
    yield failure.hit(says)


@explains("no-image-of-its-classes")
def no_image_of_its_classes(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or "the dataset"
    if failure.groups["kind"] or any(
        "/mmdet/" in f.posix or "/mmengine/" in f.posix for f in failure.frames
    ):
        yield failure.hit(
            f"{kind} is left without images: none has an object of the config's classes, which are to be spelt as the file's categories (metainfo, or classes), (\"cat\",) for one"
        )


@explains("boxes-among-outlines")
def boxes_among_outlines(failure: Failure) -> Hits:
    outlines, boxes = failure.groups["outlines"], failure.groups["boxes"]
    yield failure.hit(
        f"{boxes} boxes and {outlines} outlines stand in the label files, and all outlines are dropped: one kind in every file"
    )


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(
        f"a label file holds {failure.groups['values'].strip()}, and its image is left out: classes count from 0, and boxes are cut to the image"
    )
