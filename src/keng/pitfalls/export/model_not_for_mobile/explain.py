"""Error messages: a model is saved for another interpreter than the phone's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-bytecode")
def no_bytecode(failure: Failure) -> Hits:
    yield failure.hit(
        "the file holds no bytecode, which the small interpreter reads: save it by _save_for_lite_interpreter, or load it by the full one"
    )


@explains("bytecode-of-another-version")
def bytecode_of_another_version(failure: Failure) -> Hits:
    least, most, version = (failure.groups[name] for name in ("least", "most", "version"))
    yield failure.hit(
        f"the model is bytecode of version {version}, and the app reads {least} to {most}: the same PyTorch on both sides, or "
        "torch.jit.mobile._backport_for_mobile"
    )


@explains("operator-not-in-the-app")
def operator_not_in_the_app(failure: Failure) -> Hits:
    yield failure.hit(
        f"the app's library has no `{failure.groups['name']}`: the same PyTorch in the app as saved the model, built with all its operators"
    )


@explains("library-of-the-other")
def library_of_the_other(failure: Failure) -> Hits:
    file, lite = failure.groups["file"], failure.groups["lite"]
    wanted = (
        "LiteModuleLoader wants pytorch_android_lite" if lite else "Module wants pytorch_android"
    )
    yield failure.hit(
        f"the app has no {file}: {wanted} in build.gradle, and a model saved for that interpreter"
    )


@explains("app-too-old")
def app_too_old(failure: Failure) -> Hits:
    yield failure.hit(
        "the model was saved by a newer PyTorch than that of this app: update pytorch_android"
    )
