"""Error messages: an optional package that this code needs is not installed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    name = failure.groups["name"].replace("pynvml", "nvidia-ml-py")
    rocm = say("torch-needs-from-rocm", name=name)
    yield failure.hit(rocm if name == "amdsmi" else say("torch-needs", name=name))


PACKAGES = {
    "z3": "z3-solver",
    "etcd": "python-etcd",
    "cuda": "cuda-python",
    "pynvml": "nvidia-ml-py",
}


@explains("asked-by-torch")
def asked_by_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    line = failure.frames[-1].text if failure.frames else ""
    if "-packages/torch/" in failure.raised_in and line.startswith(
        (f"import {name}", f"from {name}")
    ):
        says = say("torch-needs", name=PACKAGES.get(name, name))
        yield failure.hit(says)


@explains("library-over-torch")
def library_over_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = say("library-not-installed", name=name, package=name.replace("_", "-"))
    yield failure.hit(says, sure=bool(failure.frames))


LIBRARIES = {"PIL": "pillow", "PyAv": "av", "OpenCV": "opencv-python"}


@explains("asked-by-transformers")
def asked_by_transformers(failure: Failure) -> Hits:
    who, name = failure.groups["who"], failure.groups["name"]
    package = LIBRARIES.get(name, name.lower())
    yield failure.hit(say("library-needs", who=who, package=package))


@explains("asked-by-a-models-code")
def asked_by_a_models_code(failure: Failure) -> Hits:
    names, who = failure.groups["names"].rstrip(".:"), failure.groups.get("who")
    if who:
        yield failure.hit(say("weights-need-kernels", names=names))
    elif "flash_attn" in names:
        yield failure.hit(say("model-code-needs-flash-attn", names=names))
    else:
        yield failure.hit(say("model-code-needs", names=names))
