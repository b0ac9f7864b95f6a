"""Error messages: one of the libraries of cuDNN is not found."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("part-of-cudnn-not-found")
def part_of_cudnn_not_found(failure: Failure) -> Hits:
    if failure.groups["library"] == "zlibwapi.dll":
        yield failure.hit(
            "a cuDNN 8 of the system was loaded, which wants zlibwapi.dll: torch's own alone, none on PATH; or PATH with torch\\lib, where that file lies"
        )
        return
    yield failure.hit(
        f"cuDNN does not find its part {failure.groups['library']}: another copy of cuDNN was loaded first, or this one is not whole; "
        "unset LD_LIBRARY_PATH, or pip install --force-reinstall torch"
    )
