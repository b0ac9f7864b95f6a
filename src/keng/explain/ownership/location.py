"""Whose an error is that is none of PyTorch's, and where in the user's code it came up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.explain.frame import Frame
from keng.explain.inspecting.answers import Live
from keng.explain.ownership.judge import NEVER_TORCHS, NO_ATTRIBUTE, NUMPYS_WORDS, RAISES
from keng.explain.ownership.other_libraries import PYTHONS_WORDS
from keng.explain.ownership.paths import LIBRARY, STANDARD, is_torch
from keng.explain.reading.tracebacks import Error
from keng.model import ErrorLocation

WORKER = re.compile(r"in DataLoader worker process (\d{1,6})")
NAMES = {"numpy": "NumPy"}


def elsewhere_of(errors: Sequence[Error], live: Live) -> ErrorLocation:
    """Of the likeliest cause, which is first."""
    error = errors[0]
    workers = [found[1] for each in errors if (found := WORKER.search(each.message))]
    mine = [frame for frame in error.frames if frame.user]
    deepest = error.frames[-1] if error.frames else None
    fetched = live.fetched
    return ErrorLocation(
        error.kind.rpartition(".")[2],
        _owner(error, deepest),
        mine[-1].function if mine else "",
        workers[0] if workers else "",
        fetched.batch,
        fetched.samples,
        _forward(mine, live),
        deepest is not None and deepest.user,
        _is_own(deepest),
    )


def owner_of(error: Error, pytorch: bool) -> str:
    """Who raised an error, in a word for programs: "torch", "python", "program" or the name of a library, as
    it is imported; "" if that is not clear."""
    deepest = error.frames[-1] if error.frames else None
    found = LIBRARY.search(deepest.path) if deepest is not None else None
    if found is not None and deepest is not None and not is_torch(deepest.path):
        return found[1]
    if pytorch:
        return "torch"
    if _is_own(deepest):
        return "program"
    named = _owner(error, deepest).lower()
    return named or (error.kind.partition(".")[0] if "." in error.kind else "")


def _owner(error: Error, deepest: Frame | None) -> str:
    """Python, or the library whose file or class it is; nothing where that is not clear."""
    if _is_own(deepest):
        return ""
    found = LIBRARY.search(deepest.path) if deepest is not None else None
    if found is not None and deepest is not None and not is_torch(deepest.path):
        return NAMES.get(found[1], found[1])
    home = error.kind.partition(".")[0] if "." in error.kind else ""
    if NUMPYS_WORDS.search(error.message) or home == "numpy":
        return "NumPy"
    words = PYTHONS_WORDS.search(error.message) or NO_ATTRIBUTE.search(error.message)
    standard = deepest is not None and STANDARD.search(deepest.path)
    return "Python" if words or standard or error.kind in NEVER_TORCHS else ""


def _is_own(deepest: Frame | None) -> bool:
    return deepest is not None and deepest.user and deepest.text.startswith(RAISES)


def _forward(mine: Sequence[Frame], live: Live) -> str:
    """The module whose forward it came up in: its path, where that is known."""
    if not any(frame.function == "forward" for frame in mine):
        return ""
    return live.layer.path if live.layer is not None else "forward"
