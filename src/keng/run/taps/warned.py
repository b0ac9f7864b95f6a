"""Warnings of C++ name the innermost Python frame: where a tap calls it, that is the tap's, for nothing
leaves a frame out there. They are told again, of the line that called the tap."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

from keng.run.bus import Bus
from keng.run.taps.patches import UNSEEN, Patches

NAME = "_showwarnmsg"
"""What is called with every warning that no filter stops; private (CPython 3.10 to 3.13 have it)."""


def put_on(bus: Bus, patches: Patches) -> None:
    if hasattr(warnings, NAME):
        patches.put(warnings, NAME, _shown(getattr(warnings, NAME)))


def _shown(original: Any) -> Any:
    def _showwarnmsg(message: Any) -> None:
        if message.filename != UNSEEN:
            original(message)
            return
        frame = _caller(sys._getframe(1))
        warnings.warn_explicit(
            message.message,
            message.category,
            frame.f_code.co_filename,
            frame.f_lineno,
            frame.f_globals.get("__name__", "<unknown>"),
            frame.f_globals.setdefault("__warningregistry__", {}),
            frame.f_globals,
            message.source,
        )

    return _showwarnmsg


def _caller(frame: FrameType) -> FrameType:
    """The frame that called the tap; the tap's own module forgets that it has told the warning."""
    while frame.f_code.co_filename == UNSEEN and frame.f_back is not None:
        frame.f_globals.pop("__warningregistry__", None)
        frame = frame.f_back
    return frame
