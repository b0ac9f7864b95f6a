"""Error messages: an extension of PyTorch cannot be built, as a tool, a header, a source or memory is missing."""

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
STEPS = frozenset(
    ("ninja", "bdist_wheel", "gcc", "g++", "nvcc", "cl", "cl.exe", "cc", "c++", "clang", "clang++")
)
"""What a build calls; all else that a message names is what is built."""


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    path = failure.groups["path"]
    if failure.passed_through("torch/utils/cpp_extension.py"):
        relative = say("relative-path-missing", path=path)
        absolute = path.startswith("/")
        yield failure.hit(say("absolute-path-missing", path=path) if absolute else relative)


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
    name = compiler or failure.groups["name"]
    step, plain = say("build-step-failed", name=name), say("build-failed", name=name)
    yield failure.hit(step if name in STEPS else plain)


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


@explains("header-missing")
def header_missing(failure: Failure) -> Hits:
    file = failure.groups["file"]
    says = say("cuda-headers-missing", file=file)
    if any(piece in file for piece in ("torch/", "ATen/", "c10/")):
        says = say("torch-headers-missing", file=file)
    elif "cuda_cmake_macros.h" in file:
        says = say("cuda-macros-missing", file=file)
    elif "cuda.h" in file:
        says = say("triton-headers-missing", file=file)
    elif "io.h" in file:
        says = say("windows-headers-missing", file=file)
    yield failure.hit(says)


@explains("no-card-to-build-for")
def no_card_to_build_for(failure: Failure) -> Hits:
    if failure.frames and "+PTX" in failure.frames[-1].text:
        yield failure.hit(say("no-gpu-to-build-for"))


@explains("toolkit-not-there-or-too-old")
def toolkit_not_there_or_too_old(failure: Failure) -> Hits:
    what, least = failure.groups["what"], failure.groups.get("least")
    what = say("the-package") if what == "bare_metal_version" else what
    old = say("nvcc-too-old", what=what, least=least)
    yield failure.hit(old if least else say("no-nvcc", what=what))


@explains("tool-of-the-build-missing")
def tool_of_the_build_missing(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("setup.py"):
        yield failure.hit(say("build-needs-package", what=failure.groups["what"]))


@explains("flags-without-a-compiler")
def flags_without_a_compiler(failure: Failure) -> Hits:
    if any("cpp_extension" in frame.path for frame in failure.frames):
        yield failure.hit(say("flags-without-compiler", what=failure.groups["what"]))


@explains("not-to-be-run")
def not_to_be_run(failure: Failure) -> Hits:
    asked = any("ninja --version" in frame.text for frame in failure.frames)
    if asked or ("'ninja'" in failure.message and failure.mentions_torch):
        yield failure.hit(say("ninja-missing"))


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
