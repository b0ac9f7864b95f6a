"""The files of a project that a file imports, itself or by others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from keng.source import Project


def imported_by(path: Path, seen: set[Path]) -> Iterator[Path]:
    """Each file once; those in `seen` are left out, and the others are put there."""
    files, left = Project(path.parent, Path()).files, [str(path)]
    seen.add(path)
    while left:
        for name in files.imports(left.pop()):
            module = Path(name).resolve()
            if module not in seen:
                seen.add(module)
                left.append(name)
                yield module
