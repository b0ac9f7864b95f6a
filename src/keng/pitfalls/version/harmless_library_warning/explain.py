"""Error messages: a library beside PyTorch warns of something that changes no result."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("older-files")
def older_files(failure: Failure) -> Hits:
    yield failure.hit(say("holds-files-already-new", folder=failure.groups["folder"]))


@explains("registered-again")
def registered_again(failure: Failure) -> Hits:
    name, home = failure.groups["name"], failure.groups["home"]
    yield failure.hit(say("timm-create-model-gives", home=name, home_2=home))


@explains("kept-until-reset")
def kept_until_reset(failure: Failure) -> Hits:
    yield failure.hit(say("cannot-counted-batch-batch", name=failure.groups["name"]))
