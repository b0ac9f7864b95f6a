"""What helps where something that was compiled against PyTorch does not fit it, or is not there: by the
package that it belongs to, and by the words of the message."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

GRAPHS = re.compile(r"torch[_-](?:scatter|sparse|cluster|spline[_-]conv)|(?:lib)?pyg(?:[_-]lib)?")
"""Packages of PyTorch Geometric, whose wheels are for one version of PyTorch each."""

OF_GRAPHS = (
    "pip install it with -f https://data.pyg.org/whl/torch-2.8.0+cu128.html, or as yours are"
)
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


def owner(failure: Failure) -> str:
    """The installed package whose library does not load, by the path in the message."""
    found = OWNER.search(failure.message)
    return (found["who"] or found["its"]) if found is not None else ""


def built_for_this(failure: Failure, who: str) -> str:
    """How a package, or an extension of a user's own, comes to fit the PyTorch that is installed."""
    if "torch_extensions" in failure.message:
        return CACHED
    if GRAPHS.fullmatch(who):
        return OF_GRAPHS
    if who.startswith("flash_attn"):
        return OF_FLASH
    mmcv = who == "mmcv" or (who == "_ext" and "mmcv" in f"{failure.message} {failure.told}")
    return OF_MMCV if mmcv else ANEW


STRINGS = {
    "RKSs": "old ABI, as of PyPI's torch before 2.7",
    "__cxx11": "new ABI, as of PyPI's torch since 2.7",
}
"""In the name of a function that takes text -> in which form of it."""


def of_another_version(failure: Failure) -> str:
    """Why a library lacks a symbol, or a library, of PyTorch's."""
    who, symbol = owner(failure), failure.groups.get("symbol") or ""
    says = f"{who or 'the extension'} was compiled for another version of PyTorch"
    if not symbol:
        says = f"{who or 'the extension'} was compiled for a PyTorch before 2.0"
    abi = next(
        (f" (its strings are of the {abi})" for part, abi in STRINGS.items() if part in symbol), ""
    )
    return f"{says}{abi}: {built_for_this(failure, who)}"


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


def of_xformers(failure: Failure) -> str:
    """What an attention of xFormers is missing."""
    text = f"{failure.message}\n{failure.told}"
    otherwise = (
        "xFormers was built for another PyTorch or without CUDA, or its kernels do not take these inputs: "
        "python -m xformers.info, then both from one index"
    )
    return next((says for why, says in FOR_XFORMERS.items() if re.search(why, text)), otherwise)


def without_cuda(failure: Failure) -> str:
    """How an extension that was built for the CPU comes to have its kernels."""
    if "CPU ONLY" in failure.message:
        return "spconv is its build for the CPU: pip install spconv-cu120, or as the CUDA here is"
    says = "the extension was built without CUDA, as where no card is seen while it is built"
    return f"{says} (docker build): again with nvcc and FORCE_CUDA=1, or its wheel for CUDA"


def not_built(failure: Failure, what: str) -> str:
    """How a compiled part comes to be there."""
    says = f"{what}, a compiled part, was not built or installed"
    name, message = what.partition(".")[0], failure.message
    if (
        f"/{name}/" in failure.raised_in
        and "-packages/" not in failure.raised_in
        and f"'{name}." in message
    ):
        own = f"{what} is imported from the folder of its source, where it was never compiled"
        return f"{own}: run from another folder, or python setup.py build_ext --inplace there"
    if GRAPHS.fullmatch(what):
        return f"{says}: {OF_GRAPHS}"
    if what.startswith("mmcv"):
        return (
            f"{says}: the build for this torch (mmcv, not mmcv-lite), "
            "or another folder, as the source's own stands before it"
        )
    if "'_" in message or what.endswith(("._ext", "._C")):
        return f"{says}: the build for this torch, or another folder, as the source's own stands before it"
    if "cannot import name" in message and what.endswith(("_cuda", "_ext", "_cpp", "_gpu")):
        return (
            f"{says}: it is looked for beside its source, where "
            "python setup.py build_ext --inplace puts it, with nvcc"
        )
    return (
        f"{says}: pip install it for this torch, or from "
        "its folder in the repository (setup.py, with nvcc)"
    )


PACKAGE = re.compile(r"-packages[/\\](?P<name>\w+)")


def of_another_torch(failure: Failure) -> str:
    """Where torchvision, as a rule, has no operators for the PyTorch that is installed."""
    who = failure.groups.get("who") or "torchvision"
    if "from the 'CUDA' backend" in failure.message:
        says = "the torchvision that is installed has no CUDA, beside a PyTorch that has"
        return f"{says}: install both together from one index, as .../whl/cu128"
    if "different CUDA" in failure.message:
        says = f"PyTorch and {who} are for two versions of CUDA"
        return f"{says}: install both together from one index, as .../whl/cu128"
    found = PACKAGE.search(failure.raised_in)
    if (
        "register_fake" in failure.message
        and found
        and found["name"] not in ("torch", "torchvision")
    ):
        says = f"{found['name']} asks for what came with torch 2.4"
        return f"{says}: a newer torch, or an older {found['name']}"
    says = "the torchvision that is installed was compiled for another PyTorch"
    return f"{says}: install both together, as 2.9 and 0.24, 2.8 and 0.23"
