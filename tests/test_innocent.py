"""Programs that look wrong in many ways and are right: no engine may say a word about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from keng import catalog
from keng.source import Code, Project

PROGRAMS = sorted((Path(__file__).parent / "innocent").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_check_is_silent(path: Path) -> None:
    code = Project().read(path)
    assert isinstance(code, Code)
    hits = [
        hit for unit in catalog.every() for finder in unit.finders for hit in finder.function(code)
    ]
    assert not hits, "even the findings that are not sure"
