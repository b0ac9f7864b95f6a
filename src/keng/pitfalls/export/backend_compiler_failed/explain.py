"""Error messages: the compiler behind torch.compile failed, not the program."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

WINDOWS = re.compile(r"\b[A-Z]:[\\/]|\b[Ww]in(?:dows|32)\b|^\s*cl /", re.MULTILINE)
STOPPED = {
    r"unsupported option '-fopenmp'|'omp\.h' file not found|library 'omp' not found": (
        "clang has no OpenMP here: brew install libomp, or another compiler by CXX, as g++"
    ),
    r"\bC1083\b|fatal error: [^\n]{1,200}(?:No such file|not found)": (
        "the C++ compiler does not find headers: under Windows start from the x64 Native Tools prompt, else "
        "install it whole, as g++ with libstdc++-dev"
    ),
    r"unrecognized (?:command|option)|unknown argument|unsupported option": (
        "the C++ compiler does not take inductor's options: a newer one, or another by CXX, as g++"
    ),
    r"\bc[a-z0-9]{40,60}\.cpp:\d+:\d+: error": (
        "what inductor wrote is no C++ that compiles, a fault of its own: a newer PyTorch, or "
        "backend='aot_eager'"
    ),
}
"""What a compiler of C++ says -> why it stops."""
UNWRITABLE = re.compile(
    r"PermissionError: [^\n]{0,60}'(?P<path>[^'\n]{1,200}(?:inductor|triton)[^'\n]{0,200})'"
)


@explains("no-triton")
def no_triton(failure: Failure) -> Hits:
    yield failure.hit(_without_triton(failure))


@explains("an-old-card")
def an_old_card(failure: Failure) -> Hits:
    yield failure.hit(say("too-old-triton-backend", card=failure.groups["card"]))


@explains("no-compiler")
def no_compiler(failure: Failure) -> Hits:
    compiler, cure = failure.groups["compiler"], "install g++ or set CXX"
    if compiler.startswith("cl"):
        cure = "start from the x64 Native Tools prompt of Visual Studio"
    says = say("inductor-finds-no-c", cure=cure)
    if compiler.startswith("C "):
        says = say("triton-finds-no-c")
    yield failure.hit(says)


@explains("compiler-refuses")
def compiler_refuses(failure: Failure) -> Hits:
    yield failure.hit(_not_compiled(failure))


@explains("raised-in-the-backend")
def raised_in_the_backend(failure: Failure) -> Hits:
    backend, error = failure.groups["backend"], failure.groups["error"]
    known = ("triton", "InvalidCxxCompiler", "CppCompileError")
    if not any(word in error for word in known):
        yield failure.hit(_raised_behind(backend, error))


@explains("inductor-itself")
def inductor_itself(failure: Failure) -> Hits:
    op, error = failure.groups.get("op", ""), failure.groups.get("error", "").rstrip(". ")
    at = f" at {op}" if op else f" ({error})" if error else ""
    yield failure.hit(
        f"inductor failed{at}, not the program: another version, or torch.compile(..., backend='aot_eager')"
    )


@explains("no-link-to-the-driver")
def no_link_to_the_driver(failure: Failure) -> Hits:
    yield failure.hit(say("triton-finds-no-file"))


@explains("dynamo-itself")
def dynamo_itself(failure: Failure) -> Hits:
    yield failure.hit(say("dynamo-itself-failed-not", error=failure.groups["error"].rstrip(". ")))


def _without_triton(failure: Failure) -> str:
    cure = "under Linux torch for CUDA brings it, under Windows pip install triton-windows"
    if failure.matches(WINDOWS):
        cure = "pip install triton-windows, of the release for this PyTorch"
    return (
        f"no working Triton, which torch.compile and some libraries want on a card: {cure}; or do without "
        "them"
    )


def _not_compiled(failure: Failure) -> str:
    """One line about a compiler of C++ that stops at what inductor gives it."""
    text = f"{failure.context}\n{failure.message}"
    for said, why in STOPPED.items():
        if re.search(said, text):
            return why
    if failure.matches(WINDOWS):
        return (
            "cl stops, see its lines: most often it was not started from the x64 Native Tools "
            "prompt of Visual Studio, which tells it where its headers are"
        )
    return (
        "the C++ compiler stops, see its lines: too old or not g++ (CXX=g++), headers that are missing, or a "
        "fault of inductor, which backend='aot_eager' goes without"
    )


def _raised_behind(backend: str, error: str) -> str:
    """One line about what a backend of torch.compile raised."""
    unwritable = UNWRITABLE.search(error)
    if unwritable is not None:
        return (
            f"the compiler may not write to `{unwritable['path']}`, another user's folder: "
            "TORCHINDUCTOR_CACHE_DIR and TRITON_CACHE_DIR, each a folder of your own"
        )
    other = "another version of PyTorch, or backend='aot_eager', which goes without it"
    if backend != "inductor":
        other = "backend='eager' tells whether it is at fault"
    return f"the backend {backend} failed, not dynamo: {error.rstrip('. ')}; {other}"
