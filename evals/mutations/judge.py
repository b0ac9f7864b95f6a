"""Runs `keng check` on files before and after a fault is planted, and says whether what is new names it."""

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.mutations.mirrors import Mirror
from evals.mutations.operators import OPERATORS
from evals.mutations.rows import Mutation, planted
from keng import check, pitfalls
from keng.check.engine import Terms
from keng.model import Finding, Pitfall, Skipped

VERDICTS = ("named", "hinted", "other", "silent")
"""An accepted pitfall is new at the default level; as a hint or a suspicion; another one is, where all are
asked; nothing is."""
DEFAULT = ("error", "warning")


class Judged(NamedTuple):
    """`new` are the findings that the fault brings: pitfall, line and sentence."""

    mutation: Mutation
    verdict: str
    new: list[tuple[str, int, str]]


def judge(
    mutations: Iterable[Mutation], mirrors: Path, asks_all: bool, whole: bool = False
) -> Iterator[Judged]:
    """Checks each mutation in a checkout of its repository, which is removed afterwards: the file by itself,
    which sees what it imports, or with the `whole` repository as the project, which sees who calls it too.
    Only the pitfalls that an operator accepts are asked, or all of them."""
    every = list(pitfalls.every())
    by_source = defaultdict[tuple[str, str], list[Mutation]](list)
    for mutation in mutations:
        by_source[mutation.repository, mutation.commit].append(mutation)
    home = Path.cwd()
    for (repository, commit), rows in by_source.items():
        with tempfile.TemporaryDirectory() as folder:
            Mirror(mirrors, repository, commit).write_to(Path(folder))
            os.chdir(folder)
            try:
                for row in rows:
                    accepts = OPERATORS[row.operator].accepts
                    asked = [p for p in every if asks_all or p.name in accepts]
                    yield _judged(row, asked, whole)
            finally:
                os.chdir(home)


def _judged(mutation: Mutation, asked: list[Pitfall], whole: bool) -> Judged:
    path = Path(mutation.path)
    before = path.read_bytes()
    after = planted(mutation, before)
    path.write_bytes(after)
    there = _found(mutation.path, asked, whole)
    path.write_bytes(before)
    known = Counter(map(_key, _found(mutation.path, asked, whole) if there else ()))
    new: list[Finding] = []
    for finding in there:
        known[_key(finding)] -= 1
        if known[_key(finding)] < 0:
            new.append(finding)
    return Judged(mutation, _verdict(mutation, new), list(map(_row, new)))


def _found(path: str, asked: list[Pitfall], whole: bool) -> list[Finding]:
    def part(places: Sequence[Path | Skipped]) -> list[Path | Skipped]:
        return [place for place in places if place == Path(path)]

    terms = Terms(part=part) if whole else None
    paths = ["."] if whole else [path]
    return list(check.run(paths, asked, suspicious=True, terms=terms).findings)


def _key(finding: Finding) -> tuple[str, str]:
    return finding.pitfall, str(finding.hit.says)


def _verdict(mutation: Mutation, new: list[Finding]) -> str:
    accepts = OPERATORS[mutation.operator].accepts
    default = [f for f in new if f.severity in DEFAULT and f.hit.sure]
    if any(f.pitfall in accepts for f in default):
        return "named"
    if any(f.pitfall in accepts for f in new):
        return "hinted"
    return "other" if default else "silent"


def _row(finding: Finding) -> tuple[str, int, str]:
    where = finding.hit.where
    level = finding.severity if finding.hit.sure else f"{finding.severity}?"
    return f"{finding.pitfall} ({level})", where.line if where else 0, str(finding.hit.says)
