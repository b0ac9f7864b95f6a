"""Error messages: an extension cannot be built, as a compiler, a header or a library is missing or too old."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.env._shared_explain import INSTALL_PYG_PACKAGE, PYG_PACKAGES
from keng.rules import explains
from keng.tables import libraries

NETWORK = re.compile(
    r"urlopen error|HTTP Error [45]\d\d|Connection reset by peer|ReadTimeoutError|Could not resolve host|"
    r"CERTIFICATE_VERIFY_FAILED|[Nn]ame or service not known|RPC failed; curl"
)

PLUGINS = r"(?:upfirdn2d|bias_act|filtered_lrelu|nvdiffrast)_plugin"
"""What StyleGAN and nvdiffrast compile where they are first used."""


@explains("python-header-not-found")
def python_header_not_found(failure: Failure) -> Hits:
    yield failure.hit(say("python-header-not-found", file=failure.groups["file"]))


@explains("compiler-missing")
def compiler_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    tools = "Visual Studio Build Tools, started from its prompt (x64 Native Tools)"
    cure = tools if what == "cl" else "apt install build-essential, or set CC and CXX"
    yield failure.hit(f"the compiler `{what}` is not on the path: {cure}")


@explains("never-built")
def never_built(failure: Failure) -> Hits:
    file, asks = failure.groups["file"], {frame.function for frame in failure.frames}
    if "_import_module_from_library" in asks or file.endswith(".so") or re.fullmatch(PLUGINS, file):
        again = "delete ~/.cache/torch_extensions and read the first error of the next build"
        yield failure.hit(f"{file} was never built, as the build had failed: {again}")


@explains("says-only-that")
def says_only_that(failure: Failure) -> Hits:
    compiler = failure.groups.get("compiler")
    if _not_fetched(failure) or (compiler and not failure.mentions_torch):
        return  # nothing was compiled, or any package in C
    says = say("build-failed-first-above", name=compiler or failure.groups["name"])
    yield failure.hit(says)


@explains("compiled-part-missing")
def compiled_part_missing(failure: Failure) -> Hits:
    what = failure.groups["what"] or failure.groups["pyg"]
    line = failure.frames[-1].text if failure.frames else ""
    setting = re.search(r"\b_C\.(?:[A-Z]|clone\()|dir\(_C\)|from torch import", line)  # of yacs
    if (what == "_C" and setting) or libraries.tells_of(failure.message):
        return
    cpu = what.split()[0] in ("CPU", "GPU", "CUDA", "cuda")
    says = _without_cuda(failure) if cpu else _not_built(failure, what)
    yield failure.hit(says, sure=bool(line) or what not in ("_C", "_ext"))


def _not_fetched(failure: Failure) -> bool:
    """Whether a build ended as what it was to fetch did not come."""
    return NETWORK.search(f"{failure.context}\n{failure.message}") is not None


def _without_cuda(failure: Failure) -> str:
    """How an extension that was built for the CPU comes to have its kernels."""
    if "CPU ONLY" in failure.message:
        return "spconv is its build for the CPU: pip install spconv-cu120, or as the CUDA here is"
    says = "the extension was built without CUDA, as where no card is seen while it is built"
    return f"{says} (docker build): again with nvcc and FORCE_CUDA=1, or its wheel for CUDA"


def _not_built(failure: Failure, what: str) -> str:
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
    if PYG_PACKAGES.fullmatch(what):
        return f"{says}: {INSTALL_PYG_PACKAGE}"
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
