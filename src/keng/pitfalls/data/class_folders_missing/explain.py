"""Error messages: a folder of images has no subfolder for each class."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-folders")
def no_folders(failure: Failure) -> Hits:
    root = failure.groups["root"]
    yield failure.hit(say("holds-no-folders-classes", root=root))


@explains("no-images")
def no_images(failure: Failure) -> Hits:
    root = failure.groups["root"]
    yield failure.hit(say("folders-hold-no-images", root=root))


@explains("empty-classes")
def empty_classes(failure: Failure) -> Hits:
    classes = failure.groups["classes"]
    stray = "remove" if classes.startswith(".") else "fill or remove"
    yield failure.hit(say("no-file-has-ending", classes=classes, stray=stray))
