"""What a compiler's words tell of why it failed, or compiles again and again."""

from __future__ import annotations

import re

from keng.failures import Failure

WINDOWS = re.compile(r"\b[A-Z]:[\\/]|\b[Ww]in(?:dows|32)\b|^\s*cl /", re.MULTILINE)


def on_windows(failure: Failure) -> bool:
    """Whether a path or a word beside the error is of Windows."""
    paths = "\n".join(frame.path for frame in failure.frames)
    return WINDOWS.search(f"{failure.told}\n{failure.message}\n{paths}") is not None


def without_triton(failure: Failure) -> str:
    cure = "under Linux torch for CUDA brings it, under Windows pip install triton-windows"
    if on_windows(failure):
        cure = "pip install triton-windows, of the release for this PyTorch"
    return (
        f"no working Triton, which torch.compile and some libraries want on a card: {cure}; or do without "
        "them"
    )


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


def not_compiled(failure: Failure) -> str:
    """One line about a compiler of C++ that stops at what inductor gives it."""
    text = f"{failure.told}\n{failure.message}"
    for said, why in STOPPED.items():
        if re.search(said, text):
            return why
    if on_windows(failure):
        return (
            "cl stops, see its lines: most often it was not started from the x64 Native Tools prompt of Visual "
            "Studio, which tells it where its headers are"
        )
    return (
        "the C++ compiler stops, see its lines: too old or not g++ (CXX=g++), headers that are missing, or a "
        "fault of inductor, which backend='aot_eager' goes without"
    )


REASON = re.compile(r"(?:last reason: \d+/\d+: |reasons: {1,4}(?:- )?)(?P<why>[^#\n]{3,200})")
SIZE = re.compile(
    r"tensor '?(?:L\[')?(?P<name>\w+)\S* (?:size|stride) mismatch at index (?P<at>\d+)"
)
LENGTH = re.compile(r"len\((?P<name>[^()]{1,60})\) == \d+")
EQUAL = re.compile(r"(?:L\[')?(?P<name>[A-Za-z_][\w.]{0,60})(?:'\])?(?P<part>\.[\w.]{1,60})? == ")


def changing(message: str) -> str:
    """What differs in every call of a compiled function, and what to do about it, by the guard that failed."""
    found = REASON.search(message)
    why = found["why"].strip() if found else ""
    if size := SIZE.search(why):
        name, at = size["name"], size["at"]
        return f"as dimension {at} of `{name}` changes: dynamic=True, or torch._dynamo.mark_dynamic({name}, {at})"
    if length := LENGTH.search(why):
        return f"as `{length['name']}` has another length each time: one padded tensor in place of a list"
    if equal := EQUAL.match(why):
        name = f"{equal['name']}{equal['part'] or ''}"
        return f"as `{name}` has another value each time: a tensor in its place, or outside of what is compiled"
    if " mismatch" in why or "GLOBAL_STATE" in why:
        return f"as calls of several kinds come ({why}): torch._dynamo.config.recompile_limit = 64 where they are few"
    return "as something changes: TORCH_LOGS=recompiles names it; dynamic=True for sizes, a tensor for a number"
