"""Error messages: a program in C++ does not find libtorch, or is compiled otherwise than it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-found")
def not_found(failure: Failure) -> Hits:
    yield failure.hit(
        "CMake is not told where libtorch is: -DCMAKE_PREFIX_PATH= with torch.utils.cmake_prefix_path, or the unpacked libtorch"
    )


@explains("without-the-toolkit")
def without_the_toolkit(failure: Failure) -> Hits:
    if "Caffe2" not in failure.message and not failure.mentions_torch:
        return  # any program's
    yield failure.hit(
        "this libtorch is one with CUDA, and there is no CUDA toolkit: install it and set CUDA_HOME, or take the libtorch for the CPU"
    )


@explains("without-nvtx")
def without_nvtx(failure: Failure) -> Hits:
    yield failure.hit(
        "this PyTorch asks CMake for nvToolsExt, which newer CUDA toolkits lack: a newer PyTorch, an older toolkit, or an interface library CUDA::nvToolsExt on CUDA::nvtx3"
    )


@explains("not-linked")
def not_linked(failure: Failure) -> Hits:
    what = failure.groups["what"].rstrip(":")
    if failure.groups.get("new"):
        yield failure.hit(
            f"`{what}` is there with the older strings of gcc: compile with ${{TORCH_CXX_FLAGS}}, or take the libtorch called cxx11-abi"
        )
        return
    yield failure.hit(
        f"`{what}` is in none of the libraries that are linked: ${{TORCH_LIBRARIES}}, of the same version as the headers"
    )


@explains("library-not-at-hand")
def library_not_at_hand(failure: Failure) -> Hits:
    yield failure.hit(
        f"the program is built, and does not find {failure.groups['file']} when it starts: LD_LIBRARY_PATH with libtorch/lib; under Windows "
        "the DLLs beside the program"
    )


@explains("library-not-found")
def library_not_found(failure: Failure) -> Hits:
    yield failure.hit(
        f"the linker does not find {failure.groups['file']}: add the folder torch/lib to the library paths"
    )


@explains("header-not-included")
def header_not_included(failure: Failure) -> Hits:
    what, where = failure.groups["what"], failure.groups["where"]
    header = "torch/script.h" if where == "torch::jit" else "torch/torch.h"
    yield failure.hit(
        f"`{where}::{what}` is declared in a header that is not included: #include <{header}>"
    )
