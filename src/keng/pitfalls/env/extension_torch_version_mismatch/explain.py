"""Error messages: an extension was compiled for another PyTorch."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env._shared_explain import INSTALL_PYG_PACKAGE, PYG_PACKAGES
from keng.rules import explains

PLATFORMS = {"_hip": "ROCm", "_cuda": "CUDA", "_xpu": "XPU"}


GRAPHS = re.compile(r"[/\\](?P<who>torch_(?:scatter|sparse|cluster|spline_conv))[/\\]__init__\.py")

OF_FLASH = (
    "pip uninstall flash-attn, then pip install flash-attn --no-build-isolation --no-cache-dir"
)
OF_MMCV = "the wheel of mmcv for this torch and CUDA, as mim install mmcv chooses it"
CACHED = "delete its folder in ~/.cache/torch_extensions, and it is built again"
ANEW = (
    "install its build for this one, or build it again without what is left of the last time (build/, "
    "~/.cache/torch_extensions)"
)
OWNER = re.compile(
    r"-packages[/\\](?P<who>\w+)|\b(?P<its>torch_(?:scatter|sparse|cluster|spline_conv)|mmcv|flash_attn_2_cuda)[/\\.]"
)
STRINGS = {
    "RKSs": "old ABI, as of PyPI's torch before 2.7",
    "__cxx11": "new ABI, as of PyPI's torch since 2.7",
}
"""In the name of a function that takes text -> in which form of it."""
FOR_XFORMERS = {
    r"device=cpu \(supported: ": (
        "xFormers computes on a card alone, and the "
        "tensors lie on the CPU: move them, or go without it"
    ),
    r"wasn't buil[dt] with CUDA|can't load C\+\+|Could not run 'xformers": (
        "xFormers was built for another PyTorch or without "
        "CUDA: python -m xformers.info, then both from one index"
    ),
    r"\(too new\)": (
        "the card is newer than this xFormers: a newer "
        "one, or without it (scaled_dot_product_attention)"
    ),
    r"bf16 is only supported on A100": "the card is too old for bfloat16 in xFormers: float16, or without it",
}
"""A reason of those below its message -> what is to be done."""


@explains("symbol-of-another-version")
def symbol_of_another_version(failure: Failure) -> Hits:
    if failure.groups.get("symbol", "").startswith("_ZN8pybind11"):
        yield failure.hit(say("extension-not-linked-libtorch"))
        return
    yield failure.hit(_of_another_version(failure))


@explains("xformers")
def xformers(failure: Failure) -> Hits:
    yield failure.hit(_of_xformers(failure))


@explains("compiled-otherwise")
def compiled_otherwise(failure: Failure) -> Hits:
    found = GRAPHS.search(failure.frames[-1].path if failure.frames else "")
    who = failure.groups.get("who") or (found and found["who"])
    if who:
        says = f"{who} was compiled for another PyTorch"
        yield failure.hit(f"{says}: {_built_for_this(failure, who)}")


@explains("loaded-before-torch")
def loaded_before_torch(failure: Failure) -> Hits:
    what, kind = failure.groups["what"], re.search(r"_(?:hip|cuda|xpu)\b", failure.groups["what"])
    says = say("extension-looks-comes-torch", what=what)
    if kind:
        says = say("what-looks-was-built", kind=what, PLATFORMS=PLATFORMS[kind[0]])
    yield failure.hit(says)


def _of_another_version(failure: Failure) -> str:
    """Why a library lacks a symbol, or a library, of PyTorch's."""
    who, symbol = _owner(failure), failure.groups.get("symbol") or ""
    says = f"{who or 'the extension'} was compiled for another version of PyTorch"
    if not symbol:
        says = f"{who or 'the extension'} was compiled for a PyTorch before 2.0"
    abi = next(
        (f" (its strings are of the {abi})" for part, abi in STRINGS.items() if part in symbol), ""
    )
    return f"{says}{abi}: {_built_for_this(failure, who)}"


def _owner(failure: Failure) -> str:
    """The installed package whose library does not load, by the path in the message."""
    found = OWNER.search(failure.message)
    return (found["who"] or found["its"]) if found is not None else ""


def _built_for_this(failure: Failure, who: str) -> str:
    """How a package, or an extension of a user's own, comes to fit the PyTorch that is installed."""
    if "torch_extensions" in failure.message:
        return CACHED
    if PYG_PACKAGES.fullmatch(who):
        return INSTALL_PYG_PACKAGE
    if who.startswith("flash_attn"):
        return OF_FLASH
    mmcv = who == "mmcv" or (who == "_ext" and "mmcv" in f"{failure.message} {failure.context}")
    return OF_MMCV if mmcv else ANEW


def _of_xformers(failure: Failure) -> str:
    """What an attention of xFormers is missing."""
    text = f"{failure.message}\n{failure.context}"
    otherwise = (
        "xFormers was built for another PyTorch or without CUDA, or its kernels do not take these inputs: "
        "python -m xformers.info, then both from one index"
    )
    return next((says for why, says in FOR_XFORMERS.items() if re.search(why, text)), otherwise)
