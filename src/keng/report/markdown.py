"""The page of a pitfall as Markdown, for editors."""

from __future__ import annotations

from collections.abc import Iterator

from keng.model import Pitfall
from keng.report.pages import Prose
from keng.report.words import Words

SHORT = ("Bad", "Good")


def page(pitfall: Pitfall, prose: Prose, words: Words) -> str:
    """What happens and why, what to do, and the first Bad and Good."""
    return "\n".join(_lines(pitfall, prose, words)) + "\n"


def _lines(pitfall: Pitfall, prose: Prose, words: Words) -> Iterator[str]:
    yield from (f"### {prose.title}", "")
    yield from (f"`{pitfall.name}` ({words(pitfall.severity)}, {pitfall.group})", "")
    yield from (prose.why, "", f"**{words('cure')}{words.colon.strip()}** {prose.cure}")
    for label in SHORT:
        block = next((each for each in prose.blocks if each.label == label), None)
        if block is None:
            continue
        note = f" ({block.note})" if block.note else ""
        yield from ("", f"**{words(block.label)}**{note}", "")
        yield from ("```python", block.text.rstrip("\n"), "```")
