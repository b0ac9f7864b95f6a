"""Files in which nothing was found, and which need no second look while nothing has changed.

What is said of a file may hang on any file that it imports, and on any that calls what is in it. So files
that import each other, over however many others, are one group, and a group is as it was or is looked at
anew. Only that a file is clean is kept: what is found is always found again.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from keng._util import cache
from keng.check.analyzer import Place
from keng.check.rules import Wanted
from keng.model import Blind
from keng.source import Project

ENOUGH = 100
"""Files. Fewer are looked at in less time than it takes to remember them."""
PACKAGE = Path(__file__).parent.parent


class State(NamedTuple):
    """A file as it is now: when it changed, its size, a digest of its text, the files it imports."""

    changed: int
    size: int
    digest: str
    imports: list[str]


class Clean:
    """What is remembered of these files, looked at by these words of a command."""

    def __init__(self, files: Sequence[Path], project: Project, asked: Sequence[str]) -> None:
        self._files = [str(file) for file in files]
        self._project = project
        self._name = f"clean-{cache.digest(os.getcwd(), *asked)}"
        self._stamp = cache.stamp(_rooms(), str(sys.version_info[:2]), *self._files)
        told = cache.kept(self._name, self._stamp) or {"files": {}, "clean": {}}
        self._before = {path: State(*state) for path, state in told["files"].items()}
        self._known: dict[str, str] = told["clean"]
        self._found: dict[str, str] = {}
        self._told: dict[int, str] = {}

    def remembers(self, place: Place, wanted: Callable[[str], Wanted]) -> bool:
        """Whether a file was clean when all that it hangs on was as it is now."""
        path = str(place)
        if isinstance(place, Blind) or path not in self._known:
            return False
        key = self._key(path, wanted(path))
        if self._known[path] == key:
            self._found[path] = key
        return self._known[path] == key

    def keep(self, clean: Sequence[str], wanted: Callable[[str], Wanted]) -> None:
        """Remembers what was clean before, and these files."""
        self._found |= {path: self._key(path, wanted(path)) for path in clean}
        if self._found != self._known or self._states != self._before:
            what = {"files": self._states, "clean": self._found}
            cache.keep(self._name, self._stamp, what)

    def _key(self, path: str, wanted: Wanted) -> str:
        torch = str(self._project.trees.oldest_torch(path))
        return _digest(self._groups[path], torch, self._terms(wanted))

    def _terms(self, wanted: Wanted) -> str:
        if id(wanted) not in self._told:
            names = [pitfall.name for pitfall in wanted.pitfalls]
            asked = ",".join(sorted(wanted.asked))
            self._told[id(wanted)] = _digest(str(wanted.suspicious), asked, *names)
        return self._told[id(wanted)]

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
        digest = hashlib.sha1(self._project.files.text(path)).hexdigest()
        return State(status.st_mtime_ns, status.st_size, digest, self._project.files.imports(path))

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
        digests = {head: _digest(*facts) for head, facts in members.items()}
        return {path: digests[led(path)] for path in self._states}


def _digest(*parts: str) -> str:
    return hashlib.sha1("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _rooms() -> list[str]:
    """The folders of keng's own code."""
    return [folder for folder, _, files in os.walk(PACKAGE) if "__init__.py" in files]
