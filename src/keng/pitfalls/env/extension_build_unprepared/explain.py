"""Error messages: a build of extensions finds no headers, no card or no memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
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
    yield failure.hit(f"{file}: {next(says for piece, says in HEADERS.items() if piece in file)}")


@explains("no-card-to-build-for")
def no_card_to_build_for(failure: Failure) -> Hits:
    if failure.frames and "+PTX" in failure.frames[-1].text:
        yield failure.hit(
            "no card is seen while the extension is built, as in docker build: say what to build for, export TORCH_CUDA_ARCH_LIST='8.0 8.6'"
        )


@explains("toolkit-not-there-or-too-old")
def toolkit_not_there_or_too_old(failure: Failure) -> Hits:
    what, least = failure.groups["what"], failure.groups.get("least")
    what = "the package" if what == "bare_metal_version" else what
    there = f"nvcc is older than {least}" if least else "there is no nvcc"
    yield failure.hit(
        f"{what} is compiled here, and {there}: the CUDA toolkit of this PyTorch's version, or a wheel of {what}"
    )


@explains("library-missing")
def library_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"the linker does not find the library {what}: put its folder (for the driver /usr/lib/wsl/lib or lib64/stubs) into LIBRARY_PATH, under Windows into LIB"
    )


@explains("tool-of-the-build-missing")
def tool_of_the_build_missing(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("setup.py"):
        yield failure.hit(
            f"the build asks for a package that is not there: pip install {failure.groups['what']}, then again with --no-build-isolation"
        )


@explains("flags-without-a-compiler")
def flags_without_a_compiler(failure: Failure) -> Hits:
    if any("cpp_extension" in frame.path for frame in failure.frames):
        yield failure.hit(
            f"extra_compile_args is a dict without '{failure.groups['what']}': give it both, 'cxx' and 'nvcc', an empty list where there is nothing"
        )
