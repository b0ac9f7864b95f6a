"""Where ranks part: the first call of a process group that is not one call."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from keng.model import Span
from keng.ranks.calls import Collective, Parting, Side, Standing
from keng.ranks.collect.reordered_calls import swapped
from keng.run.user_code import code_at

REMEMBERED = 2048
"""Calls of a group that are compared; a rank that is asked for its calls sends as many."""
PAIRED = {"barrier", "broadcast", "gather", "reduce", "scatter"}
"""Collectives for which each rank often has a line of its own, in the arms of one `if`."""
RANK = re.compile(r"\b(?:\w*_)?rank\b|main_process|is_master|is_main|is_global_zero", re.I)


@dataclass(slots=True)
class Ledger:
    """The calls of one rank in one group: the last ones by number, and how often from each line."""

    calls: dict[int, Collective] = field(default_factory=dict)
    often: Counter[Span | None] = field(default_factory=Counter)

    def add(self, made: Mapping[int, Collective]) -> None:
        """Calls by number. Few objects stand for many calls, so each is counted once."""
        self.calls.update(made)
        different = {id(each): each for each in made.values()}
        for one, count in Counter(map(id, made.values())).items():
            self.often[different[one].where] += count
        for number in list(islice(self.calls, max(0, len(self.calls) - REMEMBERED))):
            del self.calls[number]

    @property
    def last(self) -> int:
        return max(self.calls, default=0)

    def until(self, number: int) -> Ledger:
        """The calls before `number`."""
        return Ledger({n: c for n, c in self.calls.items() if n < number}, self.often)


Ledgers = Mapping[int, Ledger]


def parted(group: str, ledgers: Ledgers, looked: int) -> Parting | None:
    """The first parting after call `looked` among the calls that all ranks have made. Most are one object
    on all ranks: they need no comparison."""
    before: dict[int, Collective] = {}
    same = False
    of_ranks = [ledger.calls for ledger in ledgers.values()]
    for number in range(looked, min(ledger.last for ledger in ledgers.values()) + 1):
        first, *others = [of_rank.get(number) for of_rank in of_ranks]
        was, same = same, all(call is first for call in others)
        if was and same and first is not None:
            before = dict.fromkeys(ledgers, first)
            continue
        made = {r: call for r, each in ledgers.items() if (call := each.calls.get(number))}
        if len(made) == len(ledgers):
            if number > looked and not _is_one(number, made, ledgers):
                return Parting(group, number, _sides(number, ledgers, {}))
            if before and swapped(before, made):
                return Parting(group, number - 1, _sides(number - 1, ledgers, {}), swapped=True)
        before = made if len(made) == len(ledgers) else {}
    return None


def stood(group: str, ledgers: Ledgers, standings: Mapping[int, Standing]) -> Parting | None:
    """The first call that some ranks wait in, or broke off in, and others have not made or made otherwise."""
    lost = {ledgers[r].last for r, s in standings.items() if s.lost and r in ledgers}
    waiting = {c.number for s in standings.values() for c in s.waits if c.group == group} | lost
    # The earliest may be a call of them all: torch's recorder closes an entry only after the call has
    # returned, and a rank that raised in between still shows it as open.
    for number in sorted(waiting - {0}):
        sides = _sides(number, ledgers, standings)
        if len(sides) > 1:
            return Parting(group, number, sides, stands=True)
    last = max(lost, default=0)
    sides = _sides(last, _without_died(last, ledgers, standings), standings) if last else ()
    return Parting(group, last, sides, stands=True) if len(sides) > 1 else None


def _without_died(number: int, ledgers: Ledgers, standings: Mapping[int, Standing]) -> Ledgers:
    """The ledgers without the call `number` of ranks that died right after it: others may still be in it,
    and lose them there."""
    died = {
        r for r, s in standings.items() if s.broke and r in ledgers and ledgers[r].last == number
    }
    return {r: ledger.until(number) if r in died else ledger for r, ledger in ledgers.items()}


def _is_one(number: int, calls: Mapping[int, Collective], ledgers: Ledgers) -> bool:
    """Whether the calls of one number belong together, which those from several lines may not."""
    first = next(iter(calls.values()))
    if not all(first.meets(call) for call in calls.values()):
        return False
    if first.op in PAIRED or any(call.joined for call in calls.values()):
        return True
    return not any(_is_extra(number, rank, calls, ledgers) for rank in calls)


def _is_extra(number: int, rank: int, calls: Mapping[int, Collective], ledgers: Ledgers) -> bool:
    """Whether a rank has a call too many here: no other has ever come to its line, and what the
    others call now it has called before or calls next."""
    mine = calls[rank].where
    others = [r for r in calls if calls[r].where != mine]
    if not others or any(ledgers[r].often[mine] for r in others):
        return False
    after = ledgers[rank].calls.get(number + 1)
    theirs = {calls[r].where for r in others}
    known = any(c.where in theirs for n, c in ledgers[rank].calls.items() if n < number)
    return known or (after is not None and after.where in theirs)


def _sides(number: int, ledgers: Ledgers, standings: Mapping[int, Standing]) -> tuple[Side, ...]:
    made = {rank: ledger.calls.get(number) for rank, ledger in ledgers.items()}
    calls = {rank: call for rank, call in made.items() if call is not None}
    sides: dict[object, Side] = {}
    for rank, call in made.items():
        standing = standings.get(rank, Standing(rank))
        side = _side(rank, call, standing)
        key = (side.collective, side.where, side.gone, side.waits)
        if key in sides:
            sides[key] = sides[key]._replace(ranks=(*sides[key].ranks, rank))
            continue
        if call is not None:
            side = _judged(side, number, calls, ledgers, standings)
        sides[key] = side
    return _without_common_guard(tuple(sides.values()))


def _without_common_guard(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """A test that all ranks have passed, or all that have made the call, tells nothing."""
    if len({side.guard for side in sides}) > 1:
        return sides
    return tuple(side._replace(guard="") for side in sides)


def _side(rank: int, call: Collective | None, standing: Standing) -> Side:
    if call is not None:
        return Side((rank,), call, call.where, guard_of(call.lines))
    waits = standing.waits[0].collective if standing.waits else None
    where = waits.where if waits else standing.where
    side = Side((rank,), None, where, gone=standing.gone, waits=waits)
    return side._replace(polls=standing.polls, lines=standing.lines)


def _judged(
    side: Side,
    number: int,
    calls: Mapping[int, Collective],
    ledgers: Ledgers,
    standings: Mapping[int, Standing],
) -> Side:
    (rank,) = side.ranks
    others = [r for r in ledgers if r not in calls or calls[r].where != side.where]
    foreign = not any(ledgers[r].often[side.where] for r in others)
    ended = all(r not in calls and standings[r].gone == "ended" for r in others if r in standings)
    extra = _is_extra(number, rank, calls, ledgers) or (bool(others) and bool(standings) and ended)
    left = next(
        (loop for r in others if r in calls if (loop := _left(calls[rank], calls[r]))), None
    )
    return side._replace(foreign=foreign, extra=extra, left=left)


def _left(mine: Collective, other: Collective) -> Span | None:
    """The innermost loop that one call is made in, and that the other stands behind."""
    loops = (loop for line in other.lines for loop in _loops(line.path) if _is_in(line, loop))
    behind = [
        loop
        for loop in loops
        if any(_is_behind(own, loop) for own in mine.lines)
        and not any(_is_in(own, loop) for own in mine.lines)
    ]
    return max(behind, key=lambda loop: loop.line, default=None)


def _is_in(line: Span, loop: Span) -> bool:
    return line.path == loop.path and loop.line <= line.line <= (loop.end_line or 0)


def _is_behind(line: Span, loop: Span) -> bool:
    return line.path == loop.path and line.line > (loop.end_line or 0)


@cache
def _loops(path: str) -> tuple[Span, ...]:
    code = code_at(path)
    loops = code.of(ast.For, ast.While) if code is not None else []
    return tuple(Span(path, loop.lineno, end_line=loop.end_lineno) for loop in loops)


def guard_of(lines: Iterable[Span]) -> str:
    """The test on the rank under which the innermost of these lines stands that has one."""
    return next((test for line in lines if (test := _guard(line.path, line.line))), "")


@cache
def _guard(path: str, line: int) -> str:
    found = ""
    code = code_at(path)
    for node in code.of(ast.If) if code is not None else []:
        if RANK.search(ast.unparse(node.test)):
            if _holds(node.body, line):
                found = ast.unparse(node.test)
            elif _holds(node.orelse, line):
                found = f"not {ast.unparse(node.test)}"
    return found


def _holds(body: list[ast.stmt], line: int) -> bool:
    return bool(body) and body[0].lineno <= line <= (body[-1].end_lineno or line)
