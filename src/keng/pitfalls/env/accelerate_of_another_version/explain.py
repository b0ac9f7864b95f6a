"""Error messages: the versions of transformers and accelerate do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

TAKEN_AWAY = {"dispatch_batches", "even_batches", "use_seedable_sampler"}


@explains("argument-of-another-version")
def argument_of_another_version(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if name == "logging_dir":
        if "Accelerator." in failure.message or failure.contains("ccelerat"):
            yield failure.hit("accelerate has no `logging_dir` any more: project_dir")
    elif name in TAKEN_AWAY:
        yield failure.hit(
            f"`{name}` left Accelerator with 1.0, and an older transformers gives it: a newer transformers, or accelerate<1.0"
        )
    else:
        yield failure.hit(
            f"the accelerate that is installed is older than what calls it, and has no `{name}`: pip install -U accelerate, then restart the kernel"
        )


@explains("missing-or-too-old")
def missing_or_too_old(failure: Failure) -> Hits:
    version = failure.groups["version"]
    wanted = f"accelerate {version} or newer" if version else "accelerate"
    yield failure.hit(
        f"{wanted} is wanted, and is missing, older, or was installed after the kernel began: pip install -U accelerate, then restart"
    )
