"""The pitfalls that a command line chooses. Commands that look at all of them do not import this."""

from __future__ import annotations

from collections.abc import Iterable

from keng import catalog
from keng.choice import Wrong, listed, meant
from keng.faces.cli import Usage, nearest
from keng.model import Pitfall


def chosen(select: Iterable[str], ignore: Iterable[str]) -> list[Pitfall]:
    """The pitfalls that `--select` and `--ignore` leave."""
    every = list(catalog.every())
    try:
        wanted = meant(listed(select) or ("all",), every) - meant(listed(ignore), every)
    except Wrong as wrong:
        raise usage(wrong) from None
    return [pitfall for pitfall in every if pitfall.name in wanted]


def usage(wrong: Wrong) -> Usage:
    return Usage(f"{wrong}{nearest(wrong.word, wrong.known)}")
