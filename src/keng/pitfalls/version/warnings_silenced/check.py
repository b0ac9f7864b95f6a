"""Source code: all warnings of a program are silenced."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def every_warning_dropped(code: Code) -> Hits:
    for call in code.calls_to("warnings.filterwarnings", "warnings.simplefilter"):
        action = code.argument(call, "action", position=0)
        if code.text_constant(action) != "ignore" or len(call.args) + len(call.keywords) != 1:
            continue
        if code.under_with(call, "warnings.catch_warnings"):
            continue
        yield code.hit(call, "drops every warning from here on, known or not")
