"""Error messages: the C++ compiler, nvcc and PyTorch do not fit each other."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("compiler-out-of-bounds")
def compiler_out_of_bounds(failure: Failure) -> Hits:
    name, own, way, cuda, bounds = failure.groups.values()
    too = "old" if way == "less" else "new"
    yield failure.hit(
        f"{name.rpartition('/')[2]} {own} is too {too} for CUDA {cuda}{f', which takes {bounds}' if bounds else ''}: export CC= and CXX= of another one, or another toolkit"
    )


@explains("headers-not-read")
def headers_not_read(failure: Failure) -> Hits:
    yield failure.hit(say("nvcc-cannot-read-headers"))


@explains("visual-studio-too-new")
def visual_studio_too_new(failure: Failure) -> Hits:
    takes, wants = failure.groups.get("takes"), failure.groups.get("wants")
    told = f"nvcc takes those of {takes}" if takes else f"it wants CUDA {wants}"
    yield failure.hit(say("visual-studio-newer-than", told=told))


@explains("nvcc-too-old")
def nvcc_too_old(failure: Failure) -> Hits:
    yield failure.hit(say("nvcc-too-old-pytorch", option=failure.groups["option"]))


@explains("host-compiler-missing")
def host_compiler_missing(failure: Failure) -> Hits:
    yield failure.hit(say("nvcc-finds-no-install", compiler=failure.groups["what"]))


@explains("card-not-known")
def card_not_known(failure: Failure) -> Hits:
    yield failure.hit(_not_known_to_nvcc(failure.groups["arch"]))


@explains("source-refused")
def source_refused(failure: Failure) -> Hits:
    file, says = failure.groups["file"], failure.groups["says"]
    yield failure.hit(say("nvcc-does-not-take", says=file, rstrip=says.rstrip(". ")))


def _not_known_to_nvcc(arch: str) -> str:
    """Why a compiler has no code for an architecture, "compute_86" or "8.9"."""
    found = re.search(r"\d+", arch.replace(".", ""))
    if found is not None and int(found[0]) < 75:
        says = f"this compiler or PyTorch has dropped {arch}, which setup.py or TORCH_CUDA_ARCH_LIST names"
        return (
            f"{says}: leave it out, as where the card is newer; else an older toolkit and PyTorch"
        )
    says = f"the compiler or PyTorch is too old for {arch}"
    return f"{says}: a newer toolkit, or TORCH_CUDA_ARCH_LIST of what it knows"
