"""Error messages: an extension cannot be built, as a compiler, a header or a library is missing or too old."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.env._shared_explain import PYG_PACKAGES
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
    other = say("compiler-missing", what=what)
    yield failure.hit(say("visual-cxx-missing", what=what) if what == "cl" else other)


@explains("never-built")
def never_built(failure: Failure) -> Hits:
    file, asks = failure.groups["file"], {frame.function for frame in failure.frames}
    if "_import_module_from_library" in asks or file.endswith(".so") or re.fullmatch(PLUGINS, file):
        yield failure.hit(say("never-built", file=file))


@explains("says-only-that")
def says_only_that(failure: Failure) -> Hits:
    compiler = failure.groups.get("compiler")
    if _not_fetched(failure) or (compiler and not failure.mentions_torch):
        return  # nothing was compiled, or any package in C
    says = say("build-failed", name=compiler or failure.groups["name"])
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


def _without_cuda(failure: Failure) -> Message:
    """How an extension that was built for the CPU gets its kernels."""
    return say("spconv-for-cpu") if "CPU ONLY" in failure.message else say("built-without-cuda")


def _not_built(failure: Failure, what: str) -> Message:
    """How to get a compiled part."""
    name, message = what.partition(".")[0], failure.message
    if (
        f"/{name}/" in failure.raised_in
        and "-packages/" not in failure.raised_in
        and f"'{name}." in message
    ):
        return say("imported-from-source", what=what)
    if PYG_PACKAGES.fullmatch(what):
        return say("pyg-part-missing", what=what)
    if what.startswith("mmcv"):
        return say("mmcv-part-missing", what=what)
    if "'_" in message or what.endswith(("._ext", "._C")):
        return say("part-missing", what=what)
    if "cannot import name" in message and what.endswith(("_cuda", "_ext", "_cpp", "_gpu")):
        return say("part-not-next-to-source", what=what)
    return say("part-never-installed", what=what)
