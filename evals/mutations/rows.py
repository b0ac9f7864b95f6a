"""Mutations as data: drawn, written down, and applied again."""

from __future__ import annotations

import hashlib
import json
import random
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from evals.mutations.mirrors import Mirror
from evals.mutations.operators import OPERATORS, Change, File, Operator, applied
from evals.sets import HOME, read_toml

FOLDER = HOME / "check/mutations"
HALVES = ("tune", "aside")
LARGEST = 150_000
"""Bytes of a file that a fault is planted in."""
FILES = 80
"""Files of one repository that are read, drawn by its name."""
LEFT_OUT = ("test", "example_", "setup.py", "third_party", "vendor")


@dataclass(frozen=True)
class Mutation:
    """`seed` chooses among the changes of an operator on one line; `digest` is of the text that comes out."""

    id: str
    half: str
    operator: str
    repository: str
    commit: str
    path: str
    line: int
    seed: int
    digest: str


class Drifted(ValueError):  # noqa: N818
    """An operator no longer makes of a file what it made when the mutation was drawn."""


def read(name: str, folder: Path = FOLDER) -> list[Mutation]:
    path = folder / f"{name}.jsonl"
    lines = path.read_text("utf8").splitlines() if path.exists() else []
    return [Mutation(**json.loads(line)) for line in lines]


def write(name: str, rows: Iterable[Mutation], folder: Path = FOLDER) -> None:
    text = "".join(json.dumps(asdict(row)) + "\n" for row in rows)
    (folder / f"{name}.jsonl").write_text(text, "utf8")


def halves(folder: Path = FOLDER) -> dict[str, list[str]]:
    """The repositories, or programs, of each half."""
    found: dict[str, list[str]] = read_toml(folder / "manifest.toml")["halves"]
    return found


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


class Row(Protocol):
    """What of a mutation says how to plant it."""

    @property
    def id(self) -> str: ...
    @property
    def operator(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def digest(self) -> str: ...


def planted(mutation: Row, data: bytes) -> bytes:
    """The text of a file with the fault of a mutation. Raises Drifted."""
    return applied(data, change_of(mutation, data))


def change_of(mutation: Row, data: bytes) -> Change:
    """The edits of a mutation in a file. Raises Drifted."""
    there = places(OPERATORS[mutation.operator], data)
    if not any(c.line == mutation.line for c in there):
        raise Drifted(f"{mutation.id}: {mutation.operator} has no place on line {mutation.line}")
    change = picked(there, mutation.line, mutation.seed)
    if digest(applied(data, change)) != mutation.digest:
        raise Drifted(f"{mutation.id}: {mutation.operator} makes another text of the file")
    return change


def picked(there: list[Change], line: int, seed: int) -> Change:
    """One of the changes on a line."""
    return random.Random(seed).choice([c for c in there if c.line == line])


def drawn(there: list[Change], chance: random.Random) -> tuple[int, int, Change]:
    """A line, a seed and the change that they choose."""
    line, seed = chance.choice(sorted({c.line for c in there})), chance.randrange(10_000)
    return line, seed, picked(there, line, seed)


def places(operator: Operator, data: bytes) -> list[Change]:
    """The changes of an operator after which a file still compiles and is another."""
    if operator.sees and not any(word in data for word in operator.sees):
        return []
    try:
        return [c for c in operator.places(File(data)) if _compiles(data, applied(data, c))]
    except (SyntaxError, ValueError, RecursionError):
        return []


def _compiles(before: bytes, after: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(after, "planted", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return before != after


class Draw:
    """Draws mutations of the repositories of a half, `most` of each operator: one of each repository, and a
    second where these are not enough."""

    def __init__(self, half: str, mirrors: Path, seed: int, most: int) -> None:
        self.half = half
        self.mirrors = mirrors
        self.seed = seed
        self.most = most
        self._candidates: dict[str, list[tuple[Mirror, str, bytes]]] = {}

    def of(self, operator: Operator) -> Iterator[Mutation]:
        repositories = sorted(halves()[self.half])
        random.Random(f"{self.seed} {operator.name} {self.half}").shuffle(repositories)
        so_far = 0
        for turn in (0, 1):
            for repository in repositories:
                if so_far == self.most:
                    return
                for row in self._in_repository(operator, repository, turn):
                    so_far += 1
                    yield row

    def _in_repository(self, operator: Operator, repository: str, turn: int) -> Iterator[Mutation]:
        """The one mutation of a repository in a turn, if it has so many files with a place."""
        found = 0
        for mirror, path, data in self._files(repository):
            there = places(operator, data)
            if not there or found < turn:
                found += bool(there)
                continue
            chance = random.Random(f"{self.seed} {operator.name} {repository} {path}")
            line, seed, change = drawn(there, chance)
            text = applied(data, change)
            id = digest(f"{operator.name} {repository} {path} {line} {seed}".encode())[:8]
            yield Mutation(
                id,
                self.half,
                operator.name,
                repository,
                mirror.commit,
                path,
                line,
                seed,
                digest(text),
            )
            return

    def _files(self, repository: str) -> list[tuple[Mirror, str, bytes]]:
        if repository not in self._candidates:
            mirror = Mirror(self.mirrors, repository)
            blobs = {p: h for p, h in mirror.blobs().items() if _is_eligible(p)}
            paths = sorted(blobs)
            random.Random(repository).shuffle(paths)
            texts = mirror.texts([blobs[path] for path in paths[: FILES * 4]])
            files = [(mirror, path, texts.get(blobs[path], b"")) for path in paths[: FILES * 4]]
            whole = [f for f in files if b"torch" in f[2] and len(f[2]) <= LARGEST]
            self._candidates[repository] = whole[:FILES]
        return self._candidates[repository]


def _is_eligible(path: str) -> bool:
    return path.endswith(".py") and not any(word in path.lower() for word in LEFT_OUT)
