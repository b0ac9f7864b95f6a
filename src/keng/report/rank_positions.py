"""Where the ranks of a run stand when they stand still: ranks that stand alike are one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from keng.model import Span
from keng.pitfalls.texts import spoken
from keng.ranks.calls import Stall, Standing, listed
from keng.report.places import near
from keng.report.rank_timeline import named
from keng.report.screen import Line, Piece
from keng.report.words import Words

LAST = 4
"""Calls of a rank that are reported in words."""
LINES = 60
"""Lines of a part of the report: of jobs of many ranks whatever differs from rank to rank is left out."""


def lines(stall: Stall, words: Words) -> list[Line]:
    head = Piece(words("stands_still", seconds=round(stall.seconds)), "warning")
    told: list[Line] = [[Piece("keng: ", "dim"), head]]
    told += _folded(stall.standings, lambda standing: says(standing, words), words)
    return [*told, *timeline(stall.standings, words)]


def timeline(standings: Iterable[Standing], words: Words) -> list[Line]:
    """The last calls of each rank, and how long ago each was made; nothing where none was."""
    called = [standing for standing in standings if standing.calls]
    if not called:
        return []
    head = Piece(words("last_calls"), "name")
    digits = next((n for n in (1, 0) if _kinds(called, n) <= LINES), -1)
    return [[Piece("keng: ", "dim"), head], *_folded(called, partial(_last, digits=digits), words)]


def _kinds(standings: Iterable[Standing], digits: int) -> int:
    return len({_last(standing, digits) for standing in standings})


def _folded(
    standings: Iterable[Standing], says: Callable[[Standing], str], words: Words
) -> Iterator[Line]:
    together: dict[str, list[int]] = {}
    for standing in standings:
        together.setdefault(says(standing), []).append(standing.rank)
    shown = list(together.items())
    if len(shown) > LINES:
        # What few ranks do is news: of what is left out there is one line.
        shown.sort(key=lambda pair: len(pair[1]))
        rest = sorted(rank for _, ranks in shown[LINES - 1 :] for rank in ranks)
        shown = [*shown[: LINES - 1], ("...", rest)]
    for text, ranks in shown:
        who = words("rank", len(ranks), ranks=", ".join(listed(ranks)))
        yield [Piece("  "), Piece(who, "name"), Piece(f" {text}")]


def _last(standing: Standing, digits: int) -> str:
    """Times are rounded to tenths of a second, of many ranks to more: what ranks did together is one line."""
    ago = [(call, standing.at - call.at) for call in standing.calls[-LAST:]]
    return ", ".join(
        f"-{max(round(seconds, digits), 0.0):.{max(digits, 0)}f} s #{c.number} {named(c)}"
        for c, seconds in ago
    )


def says(standing: Standing, words: Words) -> str:
    if standing.gone:
        return spoken(standing.gone, words.lang)
    if standing.waits:
        call = standing.waits[0]
        where = _at(call.collective.where, call.collective.function)
        return words("waits_in", call=f"#{call.number} {call.collective}", where=where)
    if standing.mail.waits:
        message = standing.mail.waits[0]
        where = _at(message.collective.where, message.collective.function)
        return words("waits_in", call=f"#{message.number} {message}", where=where)
    if standing.where is None:
        return words("no_word")
    where = _at(standing.where, standing.function)
    return words("loads" if standing.loads else "runs", where=where)


def _at(where: Span | None, function: str) -> str:
    place = f"{near(where.path)}:{where.line}" if where else "?"
    return f"{place} ({function})" if function not in ("", "<module>") else place
