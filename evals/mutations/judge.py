"""Runs `keng check` on files before and after a fault is planted, and says whether what is new names it."""

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from evals.mutations.mirrors import Mirror
from evals.mutations.operators import OPERATORS
from evals.mutations.rows import Mutation, planted
from keng import check, pitfalls
from keng.model import Finding, Pitfall

VERDICTS = ("named", "hinted", "other", "silent")
"""An accepted pitfall is new at the default level; as a hint or a suspicion; another one is; nothing is."""
DEFAULT = ("error", "warning")


class Judged(NamedTuple):
    """`new` are the findings that the fault brings: pitfall, line and sentence."""

    mutation: Mutation
    verdict: str
    new: list[tuple[str, int, str]]


def judge(mutations: Iterable[Mutation], mirrors: Path) -> Iterator[Judged]:
    """Checks each mutation in the whole of its repository, in a folder that is removed afterwards."""
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
                    yield _judged(row, every)
            finally:
                os.chdir(home)


def _judged(mutation: Mutation, every: list[Pitfall]) -> Judged:
    path = Path(mutation.path)
    before = path.read_bytes()
    after = planted(mutation, before)
    known = Counter(map(_key, _found(mutation.path, every)))
    path.write_bytes(after)
    new: list[Finding] = []
    for finding in _found(mutation.path, every):
        known[_key(finding)] -= 1
        if known[_key(finding)] < 0:
            new.append(finding)
    path.write_bytes(before)
    return Judged(mutation, _verdict(mutation, new), list(map(_row, new)))


def _found(path: str, every: list[Pitfall]) -> list[Finding]:
    return list(check.run([path], every, suspicious=True).findings)


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
