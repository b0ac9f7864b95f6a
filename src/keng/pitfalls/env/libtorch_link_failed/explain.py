"""Error messages: a program in C++ does not find libtorch, or is compiled otherwise than it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("without-the-toolkit")
def without_the_toolkit(failure: Failure) -> Hits:
    if "Caffe2" not in failure.message and not failure.mentions_torch:
        return  # any program's
    yield failure.hit(say("libtorch-one-cuda-there"))


@explains("not-linked")
def not_linked(failure: Failure) -> Hits:
    what = failure.groups["what"].rstrip(":")
    if failure.groups.get("new"):
        yield failure.hit(say("there-older-strings-gcc", what=what))
        return
    yield failure.hit(say("none-libraries-linked-same", what=what))


@explains("header-not-included")
def header_not_included(failure: Failure) -> Hits:
    what, where = failure.groups["what"], failure.groups["where"]
    header = "torch/script.h" if where == "torch::jit" else "torch/torch.h"
    yield failure.hit(say("declared-header-not-included", header=where, what=what, header_2=header))
