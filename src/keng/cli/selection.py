"""The pitfalls that a command line chooses. Commands that look at all of them do not import this."""

from __future__ import annotations

from collections.abc import Iterable

from keng import pitfalls
from keng.cli.commands import Usage, nearest, refused_by
from keng.cli.options import configured
from keng.model import SEVERITIES, Pitfall
from keng.pitfalls.select import Wrong, listed, meant


def chosen(select: Iterable[str], ignore: Iterable[str]) -> list[Pitfall]:
    """The pitfalls that `--select` and `--ignore` leave."""
    every = list(pitfalls.every())
    try:
        _configure_severities(every)
        wanted = meant(listed(select) or ("all",), every) - meant(listed(ignore), every)
    except Wrong as wrong:
        raise usage(wrong) from None
    return [pitfall for pitfall in every if pitfall.name in wanted]


def _configure_severities(every: list[Pitfall]) -> None:
    """Gives pitfalls the severities of the configuration, whose other mistakes `keng check` reports."""
    table = configured("severity")
    for word, severity in table.items() if isinstance(table, dict) else ():
        for name in meant((word,), every) if severity in SEVERITIES else ():
            pitfalls.pitfall(name).severity = severity


def usage(wrong: Wrong) -> Usage:
    near = nearest(wrong.word, wrong.known)
    return refused_by("with_nearest", says=wrong.args[0], nearest=near)
