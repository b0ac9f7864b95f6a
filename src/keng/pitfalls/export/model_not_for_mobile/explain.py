"""Error messages: a model is saved for another interpreter than the phone's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-bytecode")
def no_bytecode(failure: Failure) -> Hits:
    yield failure.hit(say("file-holds-no-bytecode"))


@explains("bytecode-of-another-version")
def bytecode_of_another_version(failure: Failure) -> Hits:
    least, most, version = (failure.groups[name] for name in ("least", "most", "version"))
    yield failure.hit(say("model-bytecode-version-app", most=version, least=least, most_2=most))


@explains("operator-not-in-the-app")
def operator_not_in_the_app(failure: Failure) -> Hits:
    yield failure.hit(say("app-s-library-has", name=failure.groups["name"]))


@explains("library-of-the-other")
def library_of_the_other(failure: Failure) -> Hits:
    file, lite = failure.groups["file"], failure.groups["lite"]
    wanted = (
        "LiteModuleLoader wants pytorch_android_lite" if lite else "Module wants pytorch_android"
    )
    yield failure.hit(say("app-has-no-build", wanted=file, wanted_2=wanted))


@explains("app-too-old")
def app_too_old(failure: Failure) -> Hits:
    yield failure.hit(say("model-was-saved-newer"))
