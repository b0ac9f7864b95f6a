"""Error messages: the process ends inside of compiled code, and Python says nothing."""

from __future__ import annotations

import re

from keng.explain.advice.libraries import of_a_crash
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

TORCHS = re.compile(r"(?i)torch|cuda|\bGPU|\btrain|accelerate")
"""An exit code alone is any program's."""


@explains("memory-of-another")
def memory_of_another(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    named = f" ({what})" if what else ""
    yield failure.hit(
        f"compiled code reads memory that is not its own{named}: {of_a_crash(failure)}"
    )


@explains("code-of-a-crash")
def code_of_a_crash(failure: Failure) -> Hits:
    if TORCHS.search(failure.message):
        yield failure.hit(
            f"{failure.groups['code']} is a crash inside compiled code or the driver: python -X faulthandler names the line; a driver or package "
            "that does not fit"
        )
