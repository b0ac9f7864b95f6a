"""Error messages: a model of the hub is not there under that name, or came damaged."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-model")
def no_such_model(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("repository-s-hubconf-py", name=name))


@explains("packages-missing")
def packages_missing(failure: Failure) -> Hits:
    yield failure.hit(say("hub-s-model-needs", names=failure.groups["names"]))


@explains("not-in-timm")
def not_in_timm(failure: Failure) -> Hits:
    name = failure.groups["name"]
    unknown = say("not-in-timm", name=name, part=name[:6])
    weights = "weights" in failure.message
    yield failure.hit(
        say("not-in-timm-with-weights", name=name, part=name[:6]) if weights else unknown
    )


@explains("weights-of-another-name")
def weights_of_another_name(failure: Failure) -> Hits:
    tag, name, known = (failure.groups.get(each) for each in ("tag", "name", "known"))
    if tag == "encoder":
        yield failure.hit(say("segmentation-models-pytorch-knows", name=name))
    elif known:
        yield failure.hit(say("weights-named", name=name, tag=tag, known=known))
    else:
        yield failure.hit(say("has-no-weights-named", name=name, tag=tag))


@explains("cached-in-part")
def cached_in_part(failure: Failure) -> Hits:
    yield failure.hit(say("copy-cache-has-no", repo=failure.groups["repo"]))


@explains("no-repository-there")
def no_repository_there(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py") and "torch/hub" not in failure.groups["folder"]:
        yield failure.hit(say("holds-no-hubconf-py", folder=failure.groups["folder"]))


@explains("asked-for-trust")
def asked_for_trust(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py"):
        yield failure.hit(say("torch-hub-asks-whether"))
