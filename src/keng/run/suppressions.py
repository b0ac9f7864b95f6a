"""Findings that a comment silences, `# keng: ignore[name]`, in the files as they lie when one is found."""

from __future__ import annotations

import linecache

from keng.model import Blind, Finding
from keng.source.suppressions import Silenced, may_silence
from keng.source.text import of_text, parse


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
    # Of linecache, which knows the cells of notebooks as well.
    source = of_text("".join(linecache.getlines(path)), path)
    if isinstance(source, Blind) or not may_silence(source.data):
        return None
    tree = parse(source)
    return None if isinstance(tree, Blind) else Silenced(source, tree)
