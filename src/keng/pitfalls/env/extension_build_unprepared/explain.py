"""Error messages: a build of extensions finds no headers, no card or no memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OUTSIDE = "the build does not look into torch's folders: CppExtension or torch.utils.cpp_extension.include_paths()"


HEADERS = {
    **dict.fromkeys(("torch/", "ATen/", "c10/"), OUTSIDE),
    "cuda_cmake_macros.h": "code for CUDA is compiled against a PyTorch that was built without CUDA: install one with it",
    "cuda.h": "what Triton compiles wants the headers of CUDA's toolkit: install that (conda: cuda-toolkit), then CUDA_HOME and CPATH=$CUDA_HOME/include",
    "io.h": "the headers of Windows are missing: the Windows SDK in Visual Studio's installer, and its x64 Native Tools prompt",
    "": "the headers of CUDA's libraries are missing: the whole toolkit (conda: cuda-toolkit), and CUDA_HOME",
}
"""What is said of a header, by a piece of its name; the first that fits."""


@explains("header-missing")
def header_missing(failure: Failure) -> Hits:
    file = failure.groups["file"]
    yield failure.hit(
        say(
            "what-next",
            what=file,
            next=next(says for piece, says in HEADERS.items() if piece in file),
        )
    )


@explains("no-card-to-build-for")
def no_card_to_build_for(failure: Failure) -> Hits:
    if failure.frames and "+PTX" in failure.frames[-1].text:
        yield failure.hit(say("no-card-seen-while"))


@explains("toolkit-not-there-or-too-old")
def toolkit_not_there_or_too_old(failure: Failure) -> Hits:
    what, least = failure.groups["what"], failure.groups.get("least")
    what = "the package" if what == "bare_metal_version" else what
    there = f"nvcc is older than {least}" if least else "there is no nvcc"
    yield failure.hit(say("compiled-here-cuda-toolkit", what=what, there=there))


@explains("library-missing")
def library_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(say("linker-does-not-find", what=what))


@explains("tool-of-the-build-missing")
def tool_of_the_build_missing(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("setup.py"):
        yield failure.hit(say("build-asks-package-not", what=failure.groups["what"]))


@explains("flags-without-a-compiler")
def flags_without_a_compiler(failure: Failure) -> Hits:
    if any("cpp_extension" in frame.path for frame in failure.frames):
        yield failure.hit(say("extra-compile-args-dict", what=failure.groups["what"]))
