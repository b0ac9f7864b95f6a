"""What the ranks of a run did when, a lane each: their last collectives, and where they stood at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from keng.ranks.calls import Call, Standing
from keng.report import charts
from keng.report.charts import Scale, Tick
from keng.report.places import near

HEIGHT = 26.0
NARROWEST = 3.0
"""Units of the drawing: of a lane, and of a bar in it."""
COLOURS = 5
"""The lines of the program that have a colour of their own; the sixth is for all others."""


class Piece(NamedTuple):
    """A bar of a lane from `at`. `kind` is the colour of a collective's line, or how the rank stood."""

    at: float
    wide: float
    kind: str
    says: str


class Lane(NamedTuple):
    rank: int
    top: float
    pieces: list[Piece]


class Lanes(NamedTuple):
    """`keys` names the line, or collective, of each colour."""

    lanes: list[Lane]
    keys: list[str]
    across: list[Tick]
    height: float


def lanes(standings: Sequence[Standing], says: Sequence[str]) -> Lanes | None:
    """Nothing where no rank has made a collective. `says` tells where each rank stood."""
    calls = [call for standing in standings for call in standing.calls]
    if not calls:
        return None
    begun = min(call.at for call in calls)
    end = max(*(call.at for call in calls), *(standing.at for standing in standings))
    across = Scale(0.0, max(end - begun, 1e-3), charts.LEFT, charts.WIDTH - charts.RIGHT)
    keys = list(dict.fromkeys(named(call) for call in calls))
    drawn = [
        Lane(s.rank, at * HEIGHT, [*_made(s, begun, across, keys), *_stood(s, told, begun, across)])
        for at, (s, told) in enumerate(zip(standings, says, strict=True))
    ]
    ticks = [Tick(across(t), f"{t:g} s") for t in charts.rounded(0.0, across.high, 6)]
    return Lanes(drawn, keys[:COLOURS], ticks, HEIGHT * len(drawn))


def named(call: Call) -> str:
    """A collective in few words: "all_reduce train.py:9"."""
    where = call.collective.where
    return f"{call.collective.op} {near(where.path)}:{where.line}" if where else call.collective.op


def _made(standing: Standing, begun: float, across: Scale, keys: list[str]) -> Iterable[Piece]:
    for call in standing.calls:
        colour = min(keys.index(named(call)), COLOURS)
        at = across(call.at - begun)
        says = f"{call.at - begun:.3f} s: #{call.number} {call.collective}, {named(call)}"
        yield Piece(at, NARROWEST, f"c{colour}", says)


def _stood(standing: Standing, says: str, begun: float, across: Scale) -> Iterable[Piece]:
    """From its last call to the end: for what it has waited, or run, or when it was gone."""
    if standing.gone == "ended" or not standing.calls:
        return
    at, end = across(standing.calls[-1].at - begun), across(standing.at - begun)
    kind = "hint" if not standing.gone and not standing.waits else "error"
    yield Piece(at, max(end - at, NARROWEST), kind, says)
