"""The user's own files, when they are there: does the finder of a pitfall see it before the line that
failed?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from keng.explain.frame import Frame
from keng.model import Finder, Hit, Pitfall, Skipped

if TYPE_CHECKING:
    from keng.source import Code, Project

MOST_FILES = 8
LARGEST_FILE = 1_000_000
NAMES = re.compile(r"`([^`]+)`")


class Sources:
    """Files named by an error. Only those whose lines are still as the error shows them are asked."""

    def __init__(self) -> None:
        self._project: Project | None = None

    def code(self, frame: Frame | None) -> Code | None:
        """The file of a frame, where it is here and still says what the frame shows."""
        path = os.path.expanduser(frame.path) if frame is not None else ""
        if frame is None or not _is_small_file(path):
            return None
        if self._project is None:
            from keng.source import Project

            self._project = Project(os.path.dirname(path))
        code = self._project.read(path)
        if isinstance(code, Skipped) or frame.line > len(code.source.starts):
            return None
        return code if code.source.line(frame.line).strip() == frame.text else None

    def hit(self, pitfall: Pitfall, frames: Iterable[Frame]) -> Hit | None:
        """The likeliest culprit: it names what the failing line uses, and is close above it."""
        found: list[tuple[bool, int, Hit]] = []
        for frame in _deepest(frames) if pitfall.finders else ():
            code = self.code(frame)
            for hit in _hits(pitfall.finders, code) if code is not None else ():
                if hit.where is not None and hit.where.line <= frame.line:
                    related = any(name in frame.text for name in NAMES.findall(hit.says))
                    found.append((related, hit.where.line, hit))
        return max(found, key=lambda each: each[:2])[2] if found else None


def _deepest(frames: Iterable[Frame]) -> list[Frame]:
    """Of each file of the user's, the frame that is furthest down in it."""
    files: dict[str, Frame] = {}
    for frame in frames:
        known = files.get(frame.path)
        if frame.user and frame.text and (known is None or known.line <= frame.line):
            files[frame.path] = frame
    return list(files.values())[-MOST_FILES:]


def _hits(finders: list[Finder], code: Code) -> Iterator[Hit]:
    for finder in finders:
        yield from finder.function(code)


def _is_small_file(path: str) -> bool:
    try:
        return os.path.isfile(path) and os.path.getsize(path) <= LARGEST_FILE
    except (OSError, ValueError):
        return False
