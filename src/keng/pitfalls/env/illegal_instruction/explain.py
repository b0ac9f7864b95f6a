"""Error messages: the processor lacks an instruction that a library was compiled with."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

BOARD = re.compile(r"\b[Rr]asp(?:berry|i)|\bRPi ?\d|\bCortex-A\d\d|\b(?:Orange|Banana|Rock) ?Pi\b")


@explains("ended-by-the-system")
def ended_by_the_system(failure: Failure) -> Hits:
    if BOARD.search(f"{failure.message} {failure.context}"):
        yield failure.hit(
            "a library was compiled for newer ARM processors than this one, as some wheels of torch are for a Raspberry Pi 4: another release of it, or one that is built there"
        )
        return
    yield failure.hit(
        "the processor does not know an instruction of a library: OPENBLAS_CORETYPE=ARMV8 on a Jetson; AVX is wanted elsewhere",
        sure=False,
    )


@explains("ended-by-windows")
def ended_by_windows(failure: Failure) -> Hits:
    yield failure.hit(
        "the processor does not know an instruction of a library, as Windows tells by 0xC000001D: AVX is wanted"
    )
