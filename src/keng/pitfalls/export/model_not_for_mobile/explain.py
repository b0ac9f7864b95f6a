"""Error messages: a model is saved for another interpreter than the phone's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("bytecode-of-another-version")
def bytecode_of_another_version(failure: Failure) -> Hits:
    given = {name: failure.groups[name] for name in ("least", "most", "version")}
    yield failure.hit(say("bytecode-of-another-version", **given))


@explains("library-of-the-other")
def library_of_the_other(failure: Failure) -> Hits:
    file, lite = failure.groups["file"], failure.groups["lite"]
    full = say("full-library-missing", file=file)
    yield failure.hit(say("lite-library-missing", file=file) if lite else full)
