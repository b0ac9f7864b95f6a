"""Where ranks part, from their calls alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from keng.model import Span
from keng.ranks.calls import Call, Collective, Parting, Standing, spoken
from keng.ranks.collect.divergence import Ledger, guard_of, parted, stood
from keng.ranks.reports import minority


def calls(*made: str) -> Ledger:
    """Each is `op:line`, or `op:line:size`."""
    ledger = Ledger()
    for number, text in enumerate(made, 1):
        op, line, *size = text.split(":")
        shape = (int(size[0]) if size else 4,)
        ledger.add(Call("0", number, Collective(op, (shape,), "float", (at(int(line)),))))
    return ledger


def at(line: int) -> Span:
    return Span("/home/u/train.py", line)


def first(*ranks: Ledger) -> Parting | None:
    return parted("0", dict(enumerate(ranks)), 0)


SAME = ["all_reduce:9", "all_gather:11", "all_reduce:9"]
INNOCENT = {
    "the same": (SAME, SAME),
    "each rank its own line": (["broadcast:5", "all_reduce:9"], ["broadcast:7", "all_reduce:9"]),
    "a barrier before and one after": (
        ["all_reduce:9", "barrier:5", "all_reduce:9"],
        ["all_reduce:9", "barrier:3", "all_reduce:9"],
    ),
    "gathered in other sizes": (["all_gather:9:4"], ["all_gather:9:7"]),
    "two branches that meet": (["all_reduce:5", "barrier:9"], ["all_reduce:7", "barrier:9"]),
    "one has come farther": (SAME, SAME[:1]),
}


@pytest.mark.parametrize("case", INNOCENT)
def test_what_belongs_together(case: str) -> None:
    one, other = INNOCENT[case]
    assert first(calls(*one), calls(*other)) is None


APART = {
    "another kind": (["all_reduce:9", "barrier:7"], ["all_reduce:9", "all_gather:8"], 2, None),
    "another size": (["all_reduce:9:4"], ["all_reduce:9:8"], 1, None),
    "one too many": (
        ["all_reduce:9", "all_reduce:5", "all_reduce:9"],
        ["all_reduce:9", "all_reduce:9", "all_reduce:9"],
        2,
        5,
    ),
    "one too many at first": (
        ["all_reduce:5", "all_reduce:9"],
        ["all_reduce:9", "barrier:11"],
        1,
        5,
    ),
}


@pytest.mark.parametrize("case", APART)
def test_what_does_not(case: str) -> None:
    one, other, number, line = APART[case]
    found = first(calls(*one), calls(*other))
    assert found is not None
    assert found.number == number
    alone = found.alone
    assert (alone.where.line if alone and alone.where else None) == line


def test_a_slow_rank_is_no_sure_parting() -> None:
    ledgers = {0: calls("barrier:9"), 1: calls()}
    waits = (Call("0", 1, ledgers[0].calls[1]),)
    standings = {0: Standing(0, waits), 1: Standing(1, where=at(4))}
    found = stood("0", ledgers, standings)
    assert found is not None
    assert not found.sure
    ended = stood("0", ledgers, {**standings, 1: Standing(1, gone="ended")})
    assert ended is not None
    assert ended.sure


def test_the_test_on_the_rank(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "if args.local_rank == 0:\n    f()\nelse:\n    g()\nif ready:\n    h()\nif rank:\n    k()\n"
    )
    spans = [Span(str(path), line) for line in (2, 4, 6, 8)]
    tests = ["args.local_rank == 0", "not args.local_rank == 0", "", "rank"]
    assert [guard_of([span]) for span in spans] == tests


def test_ranks_in_words() -> None:
    assert spoken([3]) == "rank 3"
    assert spoken([2, 0]) == "ranks 0 and 2"
    assert spoken(range(1, 8)) == "ranks 1 to 7"
    assert spoken([0, 2, 5]) == "ranks 0, 2 and 5"
    assert minority({0: "a", 1: "b", 2: "b"}) == (0,)
    assert minority({0: "a", 1: "b"}) == (1,)
