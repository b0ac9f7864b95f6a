"""Source code: dimensions are to change places, and `view` mixes their elements."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def sizes_in_another_order(code: Code) -> Hits:
    for call, given, heads in code.views_mixing():
        text = shorten(code.text_of(call), 60, placeholder=" ...")
        named = "puts heads before the time steps of" if heads else "reorders the sizes of"
        cure = "split the last dimension, then transpose" if heads else "transpose the dimensions"
        yield code.hit(call, f"`{text}` {named} `{given.id}` and moves no element: {cure}")
