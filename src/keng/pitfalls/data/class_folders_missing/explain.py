"""Error messages: a folder of images has no subfolder for each class."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("empty-classes")
def empty_classes(failure: Failure) -> Hits:
    classes = failure.groups["classes"]
    if classes.startswith("."):
        yield failure.hit(say("hidden-folder", classes=classes))
    else:
        yield failure.hit(say("class-without-images", classes=classes))
