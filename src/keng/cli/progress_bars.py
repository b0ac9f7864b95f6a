"""Progress bars of the program that runs, which a line of ours is not to stand in."""

from __future__ import annotations

import sys
from typing import TextIO

CLEARED = "\r\x1b[2K"


def stream_above(stream: TextIO) -> TextIO:
    """Where a line begins: what rich has put in the place of standard error writes above its bars; one of
    tqdm's stands in the line that the cursor is in, is cleared from a screen and stays in a log."""
    if type(sys.stderr).__module__ == "rich.file_proxy":
        return sys.stderr
    bars = getattr(getattr(sys.modules.get("tqdm.std"), "tqdm", None), "_instances", ())
    if len(bars):
        stream.write(CLEARED if stream.isatty() else "\n")
    return stream
