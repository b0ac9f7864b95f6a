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
            yield failure.hit(say("accelerate-has-no-any"))
    elif name in TAKEN_AWAY:
        yield failure.hit(say("left-accelerator-older-transformers", name=name))
    else:
        yield failure.hit(say("accelerate-installed-older-than", name=name))


@explains("missing-or-too-old")
def missing_or_too_old(failure: Failure) -> Hits:
    version = failure.groups["version"]
    wanted = f"accelerate {version} or newer" if version else "accelerate"
    yield failure.hit(
        f"{wanted} is wanted, and is missing, older, or was installed after the kernel began: pip install -U accelerate, then restart"
    )
