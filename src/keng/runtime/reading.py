"""What the user's own line does with a value."""

from __future__ import annotations

import dis
from opcode import opmap

from keng.runtime.places import user_frames

POP = opmap["POP_TOP"]
CACHE = opmap.get("CACHE", 0)


def is_discarded() -> bool:
    """Whether the call that runs now in the user's innermost frame is a statement by itself, whose
    result is thrown away."""
    frame = next(user_frames(), None)
    if frame is None:
        return False
    code, at = frame.f_code.co_code, frame.f_lasti + 2
    while at < len(code) and code[at] in (CACHE, dis.EXTENDED_ARG):
        at += 2
    return at < len(code) and code[at] == POP
