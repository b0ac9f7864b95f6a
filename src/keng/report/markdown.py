"""The page of a pitfall as Markdown, for editors and documents."""

from __future__ import annotations

from collections.abc import Iterator

from keng.model import Pitfall
from keng.report.pages import Prose
from keng.report.words import Words

SHORT = ("Bad", "Good")


def page(pitfall: Pitfall, prose: Prose, words: Words, whole: bool = True) -> str:
    """With all its programs, or with the first Bad and Good alone."""
    return "\n".join(_lines(pitfall, prose, words, whole)) + "\n"


def _lines(pitfall: Pitfall, prose: Prose, words: Words, whole: bool) -> Iterator[str]:
    yield from (f"### {prose.title}", "")
    yield from (f"`{pitfall.name}` ({words(pitfall.severity)}, {pitfall.group})", "")
    yield from (prose.why, "", f"**{words('cure')}{words.colon.strip()}** {prose.cure}")
    told = set()
    for block in prose.blocks:
        if not whole and (block.label not in SHORT or block.label in told):
            continue
        told.add(block.label)
        language = "text" if block.label == "Message" else "python"
        note = f" ({block.note})" if block.note else ""
        yield from ("", f"**{words(block.label)}**{note}", "")
        yield from (f"```{language}", block.text.rstrip("\n"), "```")
    if whole and prose.sources:
        yield from ("", f"{words('sources')}{words.colon}{prose.sources}")
