"""Where the ranks of a run stand when they stand still: ranks that stand alike are one line."""

from __future__ import annotations

from keng.model import Span
from keng.ranks import Stall, Standing
from keng.report.places import near
from keng.report.screen import Line, Piece
from keng.report.words import Words


def lines(stall: Stall, words: Words) -> list[Line]:
    together: dict[str, list[int]] = {}
    for standing in stall.standings:
        together.setdefault(_says(standing, words), []).append(standing.rank)
    head = Piece(words("stands_still", seconds=round(stall.seconds)), "warning")
    told: list[Line] = [[Piece("keng: ", "dim"), head]]
    for says, ranks in together.items():
        who = words("rank", len(ranks), ranks=", ".join(map(str, ranks)))
        told.append([Piece("  "), Piece(who, "name"), Piece(f" {says}")])
    return told


def _says(standing: Standing, words: Words) -> str:
    if standing.gone:
        return standing.gone
    if standing.waits:
        call = standing.waits[0]
        where = _at(call.collective.where, call.collective.function)
        return words("waits_in", call=f"#{call.number} {call.collective}", where=where)
    if standing.where is None:
        return words("no_word")
    where = _at(standing.where, standing.function)
    return words("loads" if standing.loads else "runs", where=where)


def _at(where: Span | None, function: str) -> str:
    place = f"{near(where.path)}:{where.line}" if where else "?"
    return f"{place} ({function})" if function not in ("", "<module>") else place
