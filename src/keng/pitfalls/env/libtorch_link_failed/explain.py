"""Error messages: a program in C++ does not find libtorch, or is compiled otherwise than it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-found")
def not_found(failure: Failure) -> Hits:
    yield failure.hit(say("cmake-not-told-where"))


@explains("without-the-toolkit")
def without_the_toolkit(failure: Failure) -> Hits:
    if "Caffe2" not in failure.message and not failure.mentions_torch:
        return  # any program's
    yield failure.hit(say("libtorch-one-cuda-there"))


@explains("without-nvtx")
def without_nvtx(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-asks-cmake-nvtoolsext"))


@explains("not-linked")
def not_linked(failure: Failure) -> Hits:
    what = failure.groups["what"].rstrip(":")
    if failure.groups.get("new"):
        yield failure.hit(say("there-older-strings-gcc", what=what))
        return
    yield failure.hit(say("none-libraries-linked-same", what=what))


@explains("library-not-at-hand")
def library_not_at_hand(failure: Failure) -> Hits:
    yield failure.hit(say("program-built-does-not", file=failure.groups["file"]))


@explains("library-not-found")
def library_not_found(failure: Failure) -> Hits:
    yield failure.hit(say("linker-does-not-find", file=failure.groups["file"]))


@explains("header-not-included")
def header_not_included(failure: Failure) -> Hits:
    what, where = failure.groups["what"], failure.groups["where"]
    header = "torch/script.h" if where == "torch::jit" else "torch/torch.h"
    yield failure.hit(say("declared-header-not-included", header=where, what=what, header_2=header))
