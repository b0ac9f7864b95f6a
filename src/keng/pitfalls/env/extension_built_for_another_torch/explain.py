"""Error messages: an extension was compiled for another PyTorch."""

from __future__ import annotations

import re

from keng.explain.advice.extensions import built_for_this, of_another_version, of_xformers
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

PLATFORMS = {"_hip": "ROCm", "_cuda": "CUDA", "_xpu": "XPU"}


GRAPHS = re.compile(r"[/\\](?P<who>torch_(?:scatter|sparse|cluster|spline_conv))[/\\]__init__\.py")


@explains("symbol-of-another-version")
def symbol_of_another_version(failure: Failure) -> Hits:
    if failure.groups.get("symbol", "").startswith("_ZN8pybind11"):
        yield failure.hit(
            "the extension is not linked with libtorch_python, which knows tensors of Python: add it in CMake"
        )
        return
    yield failure.hit(of_another_version(failure))


@explains("xformers")
def xformers(failure: Failure) -> Hits:
    yield failure.hit(of_xformers(failure))


@explains("compiled-otherwise")
def compiled_otherwise(failure: Failure) -> Hits:
    found = GRAPHS.search(failure.frames[-1].path if failure.frames else "")
    who = failure.groups.get("who") or (found and found["who"])
    if who:
        says = f"{who} was compiled for another PyTorch"
        yield failure.hit(f"{says}: {built_for_this(failure, who)}")


@explains("loaded-before-torch")
def loaded_before_torch(failure: Failure) -> Hits:
    what, kind = failure.groups["what"], re.search(r"_(?:hip|cuda|xpu)\b", failure.groups["what"])
    says = f"the extension looks for {what}, which comes with torch: import torch before it; if that is done, it was built for another version"
    if kind:
        says = f"what looks for {what} was built for PyTorch with {PLATFORMS[kind[0]]}, and the one that is installed is without: take both from one index, as .../whl/cu128"
    yield failure.hit(says)
