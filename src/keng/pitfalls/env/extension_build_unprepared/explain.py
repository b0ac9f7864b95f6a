"""Error messages: a build of extensions finds no headers, no card or no memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("header-missing")
def header_missing(failure: Failure) -> Hits:
    file = failure.groups["file"]
    says = say("cuda-headers-missing", file=file)
    if any(piece in file for piece in ("torch/", "ATen/", "c10/")):
        says = say("torch-headers-missing", file=file)
    elif "cuda_cmake_macros.h" in file:
        says = say("cuda-macros-missing", file=file)
    elif "cuda.h" in file:
        says = say("triton-headers-missing", file=file)
    elif "io.h" in file:
        says = say("windows-headers-missing", file=file)
    yield failure.hit(says)


@explains("no-card-to-build-for")
def no_card_to_build_for(failure: Failure) -> Hits:
    if failure.frames and "+PTX" in failure.frames[-1].text:
        yield failure.hit(say("no-gpu-to-build-for"))


@explains("toolkit-not-there-or-too-old")
def toolkit_not_there_or_too_old(failure: Failure) -> Hits:
    what, least = failure.groups["what"], failure.groups.get("least")
    what = say("the-package") if what == "bare_metal_version" else what
    old = say("nvcc-too-old", what=what, least=least)
    yield failure.hit(old if least else say("no-nvcc", what=what))


@explains("library-missing")
def library_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(say("library-not-found", what=what))


@explains("tool-of-the-build-missing")
def tool_of_the_build_missing(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("setup.py"):
        yield failure.hit(say("build-needs-package", what=failure.groups["what"]))


@explains("flags-without-a-compiler")
def flags_without_a_compiler(failure: Failure) -> Hits:
    if any("cpp_extension" in frame.path for frame in failure.frames):
        yield failure.hit(say("flags-without-compiler", what=failure.groups["what"]))
