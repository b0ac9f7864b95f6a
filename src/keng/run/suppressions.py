"""Findings that a comment suppresses, `# keng: ignore[name]`, in the files as they are when one is found."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING

from keng.model import Finding, Skipped

if TYPE_CHECKING:
    from keng.source.suppressions import Silenced

MARKS = ("keng", "noqa")
"""One of these is in every such comment."""


class Silencing:
    """Most findings have no such comment anywhere near: a file is parsed only where it holds one."""

    def __init__(self) -> None:
        self._files: dict[str, Silenced | None] = {}

    def __contains__(self, finding: Finding) -> bool:
        where = finding.hit.where
        if where is None:
            return False
        if where.path not in self._files:
            self._files[where.path] = _silenced_in(where.path)
        silenced = self._files[where.path]
        return silenced is not None and finding in silenced


def _silenced_in(path: str) -> Silenced | None:
    text = "".join(linecache.getlines(path))  # linecache has the cells of notebooks as well
    if not any(mark in text.lower() for mark in MARKS):
        return None
    from keng.source.suppressions import Silenced, may_silence
    from keng.source.text import of_text, parse

    source = of_text(text, path)
    if isinstance(source, Skipped) or not may_silence(source.data):
        return None
    tree = parse(source)
    return None if isinstance(tree, Skipped) else Silenced(source, tree)
