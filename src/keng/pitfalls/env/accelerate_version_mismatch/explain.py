"""Error messages: the versions of transformers and accelerate do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

TAKEN_AWAY = {"dispatch_batches", "even_batches", "use_seedable_sampler"}


@explains("argument-of-another-version")
def argument_of_another_version(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if name == "logging_dir":
        if "Accelerator." in failure.message or failure.contains("ccelerat"):
            yield failure.hit(say("logging-dir-removed"))
    elif name in TAKEN_AWAY:
        yield failure.hit(say("argument-removed-in-1-0", name=name))
    else:
        yield failure.hit(say("accelerate-older-than-caller", name=name))


@explains("missing-or-too-old")
def missing_or_too_old(failure: Failure) -> Hits:
    version = failure.groups["version"]
    known = say("accelerate-too-old", version=version)
    yield failure.hit(known if version else say("accelerate-missing"))
