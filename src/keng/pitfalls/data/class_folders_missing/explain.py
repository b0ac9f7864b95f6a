"""Error messages: a folder of images has no subfolder for each class."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-folders")
def no_folders(failure: Failure) -> Hits:
    root = failure.groups["root"]
    yield failure.hit(
        f"{root} holds no folders, which are the classes of ImageFolder: {root}/CLASS/IMAGE"
    )


@explains("no-images")
def no_images(failure: Failure) -> Hits:
    root = failure.groups["root"]
    yield failure.hit(
        f"the folders in {root} hold no images: {root}/CLASS/IMAGE, or another level is the root"
    )


@explains("empty-classes")
def empty_classes(failure: Failure) -> Hits:
    classes = failure.groups["classes"]
    stray = "remove" if classes.startswith(".") else "fill or remove"
    yield failure.hit(
        f"no file in {classes} has an ending of images: {stray} it, extensions=, or allow_empty=True"
    )
