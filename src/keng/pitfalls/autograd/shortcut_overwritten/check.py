"""Source code: a shortcut is changed in place before it is added."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def kept_under_a_second_name(code: Code) -> Hits:
    for call, shortcut in code.shortcuts_overwritten():
        says = f"`{code.text_of(call)}` writes over `{shortcut.id}`"
        yield code.hit(call, f"{says}, which is added on line {shortcut.lineno} as if it had not")
