"""Error messages: the process ends inside of compiled code, and Python says nothing."""

from __future__ import annotations

import re

from keng.explain.advice.platforms import AMDS
from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

TORCHS = re.compile(r"(?i)torch|cuda|\bGPU|\btrain|accelerate")
"""An exit code alone is any program's."""


@explains("memory-of-another")
def memory_of_another(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    named = f" ({what})" if what else ""
    yield failure.hit(
        f"compiled code reads memory that is not its own{named}: {_of_a_crash(failure)}"
    )


@explains("code-of-a-crash")
def code_of_a_crash(failure: Failure) -> Hits:
    if TORCHS.search(failure.message):
        yield failure.hit(say("crash-inside-compiled-code", code=failure.groups["code"]))


def _of_a_crash(failure: Failure) -> str:
    """What may have ended a process inside of compiled code."""
    text = f"{failure.message} {failure.context}"
    names = "python -X faulthandler names the line"
    if failure.matches(AMDS):
        return f"{names}; a card that ROCm does not support, or HSA_OVERRIDE_GFX_VERSION for another one"
    if re.search(r"\b(?:while|when|on|at|after) (?:I )?import(?:ing)? torch\b", text):
        return (
            "another libtorch or CUDA in LD_LIBRARY_PATH, or torch twice: "
            "unset it, and a fresh environment; torch before other libraries"
        )
    return (
        f"{names}; a package built for another torch, or a "
        "library twice: a fresh environment, and num_workers=0"
    )
