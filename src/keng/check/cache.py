"""What was found in files, which is found again while nothing has changed.

What is said of a file may depend on any file that it imports, and on any that calls what is in it. So files
that import each other, over however many others, are one group, and a group is as it was or is analysed
again.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from keng import pitfalls
from keng._util import cache
from keng.check.analyzer import Place, Told
from keng.check.rules import Wanted
from keng.check.uses import loads_by_name
from keng.model import Edit, Finding, Fix, Hit, Message, Notice, Skipped, Span
from keng.source import Project

ENOUGH = 100
"""Files. Fewer are checked in less time than it takes to remember them."""
PACKAGE = Path(__file__).parent.parent
MESSAGE = "\0message"
"""Marks a message among plain values."""


class State(NamedTuple):
    """A file as it is now: when it changed, its size, a digest of its text, the files it imports, and whether
    it loads others by name."""

    changed: int
    size: int
    digest: str
    imports: list[str]
    loads: bool = False


class Remembered:
    """What is remembered of these files, checked by these words of a command."""

    def __init__(self, files: Sequence[Path], project: Project, asked: Sequence[str]) -> None:
        self._files = [str(file) for file in files]
        self._project = project
        self._path = cache.path(f"check-{cache.digest(os.getcwd(), *asked)}.bin")
        stamp = cache.stamp(_rooms(), pitfalls.stamp(), str(sys.version_info[:2]), *self._files)
        self._stamp = stamp
        states, known = cache.kept_table(self._path, stamp) or ({}, {})
        self._known: dict[str, tuple[str, bytes]] = known
        self._before = {path: State(*state) for path, state in states.items()}
        self._found: dict[str, tuple[str, bytes]] = {}
        self._terms_of: dict[int, str] = {}

    def recall(self, place: Place, wanted: Callable[[str], Wanted]) -> Told | None:
        """What was found in a file, where all that it depends on is as it was then."""
        path = str(place)
        if isinstance(place, Skipped) or path not in self._known:
            return None
        key, row = self._known[path]
        if key != self._key(path, wanted(path)):
            return None
        self._found[path] = key, row
        return _told(path, marshal.loads(row)) if row else Told(files=1)

    def keep(self, found: Mapping[str, Told], wanted: Callable[[str], Wanted]) -> None:
        """Remembers what was recalled, and what was found in these files."""
        for path, told in found.items():
            row = _row(told)
            if row is not None:
                self._found[path] = self._key(path, wanted(path)), row
        if self._found != self._known or self._states != self._before:
            states = {path: tuple(state) for path, state in self._states.items()}
            cache.keep_table(self._path, self._stamp, (states, self._found))

    def _key(self, path: str, wanted: Wanted) -> str:
        torch = str(self._project.trees.stated_torch(path))
        return _digest(self._groups[path], torch, self._terms(wanted))

    def _terms(self, wanted: Wanted) -> str:
        if id(wanted) not in self._terms_of:
            names = [pitfall.name for pitfall in wanted.pitfalls]
            asked = ",".join(sorted(wanted.asked))
            given = (*wanted.severities, *sorted(wanted.unfixable))
            facts = str((wanted.suspicious, wanted.hints)), asked, str(given)
            self._terms_of[id(wanted)] = _digest(*facts, *names)
        return self._terms_of[id(wanted)]

    @cached_property
    def _states(self) -> dict[str, State]:
        """Of the files, and of all that they import."""
        states: dict[str, State] = {}
        left = list(self._files)
        while left:
            path = left.pop()
            if path not in states:
                states[path] = self._state(path)
                left += states[path].imports
        return states

    def _state(self, path: str) -> State:
        before = self._before.get(path)
        try:
            status = os.stat(path)
        except OSError:
            return State(0, 0, "", [])
        if before and before[:2] == (status.st_mtime_ns, status.st_size):
            return before
        text = self._project.files.text(path)
        digest, imported = hashlib.sha1(text).hexdigest(), self._project.files.imports(path)
        return State(status.st_mtime_ns, status.st_size, digest, imported, loads_by_name(text))

    @cached_property
    def _groups(self) -> dict[str, str]:
        """Of each file, a digest of all files of its group."""
        leader = {path: path for path in self._states}

        def led(path: str) -> str:
            while leader[path] != path:
                leader[path] = leader[leader[path]]
                path = leader[path]
            return path

        for path, state in self._states.items():
            for other in state.imports:
                leader[led(other)] = led(path)
        members: dict[str, list[str]] = {}
        for path in sorted(self._states):
            members.setdefault(led(path), []).append(f"{path} {self._states[path].digest}")
        states = self._states.values()
        whole = str((any(s.imports for s in states), any(s.loads for s in states)))
        digests = {head: _digest(whole, *facts) for head, facts in members.items()}
        return {path: digests[led(path)] for path in self._states}


def _row(told: Told) -> bytes | None:
    """The results of one file; nothing for one without findings, None where it cannot be remembered."""
    kept = told.found or told.hints or told.skipped or told.notes or told.foreign
    if not kept and told.files == 1:
        return b""
    found, hints = ([_plain(each) for each in part] for part in (told.found, told.hints))
    skipped, notes = [tuple(each) for each in told.skipped], [_plain(note) for note in told.notes]
    try:
        row = (found, hints, skipped, notes, told.files, told.foreign)
        return marshal.dumps(row, cache.FORMAT)
    except ValueError:  # a value that is no plain one
        return None


def _told(path: str, row: Any) -> Told:
    found, hints, skipped, notes, files, foreign = row
    told = Told(
        [_finding(each) for each in found],
        [Skipped(path, _text(why), ours) for path, why, ours in skipped],
        [Notice(_text(says), Span(*where)) for says, where in notes],
        files,
        foreign,
    )
    told.hints = [_finding(each) for each in hints]
    if found or notes:
        told.paths.append(path)
    return told


def _plain(value: Any) -> Any:
    """Tuples, dictionaries and texts for the nouns of keng."""
    if isinstance(value, Message):
        return (MESSAGE, value.id, _plain(value.values), str(value), value.home)
    if isinstance(value, (tuple, frozenset)):
        return tuple(_plain(each) for each in value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _text(plain: Any) -> Any:
    """A text or another value, or the message that `_plain` has taken apart."""
    if isinstance(plain, tuple) and plain[:1] == (MESSAGE,):
        _, id, values, text, home = plain
        return Message(id, {key: _text(each) for key, each in values.items()}, text, home)
    return plain


def _finding(plain: Any) -> Finding:
    pitfall, group, severity, (says, where, evidence, fix, *others), *rest = plain
    if fix is not None:
        title, edits, *more = fix
        fix = Fix(_text(title), tuple(Edit(*edit) for edit in edits), *more)
    hit = Hit(_text(says), where and Span(*where), evidence, fix, *others)
    return Finding(pitfall, group, severity, hit, *rest)


def _digest(*parts: str) -> str:
    return hashlib.sha1("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _rooms() -> list[str]:
    """The folders of keng's own code, those of the pitfalls left out."""
    rooms = []
    for folder, below, files in os.walk(PACKAGE):
        below[:] = [name for name in below if name != "pitfalls"]
        rooms += [folder] if "__init__.py" in files else []
    return rooms
