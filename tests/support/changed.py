"""Which tests a change concerns: `pytest --changed [REVISION]`, and `make test-changed`."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

HOME = Path(__file__).parents[2]
SAMPLE = 60
"""One pitfall of so many stands for all where something changed that concerns all of them."""


def changed_files(revision: str) -> set[str]:
    """Paths that differ from a revision or are new, from the project's root."""
    asked = (["diff", "--name-only", revision], ["ls-files", "--others", "--exclude-standard"])
    told = (
        subprocess.run(["git", *args], cwd=HOME, capture_output=True, text=True, check=True).stdout
        for args in asked
    )
    return {line for text in told for line in text.splitlines()}


def concerned(
    items: list[pytest.Item], files: Iterable[str], slow: frozenset[str]
) -> list[pytest.Item]:
    """The tests of what changed: of pitfalls by their folder, of rooms by their name, and changed test files
    whole. Files of minutes are left to a full run unless they changed themselves."""
    paths = [PurePosixPath(file) for file in files]
    tests = {str(path) for path in paths if path.parts[0] == "tests"}
    rooms = {
        path.parts[2].removesuffix(".py") for path in paths if path.parts[:2] == ("src", "keng")
    }
    folders = {path.parts[4] for path in paths if _in_a_pitfall(path)}
    groups = {path.parts[3] for path in paths if path.name.startswith("_shared")}
    everywhere = bool(
        rooms & {"battery", "model", "rules", "source", "run", "explain"}
        or "tests/support" in str(tests)
    )

    def concerns(item: pytest.Item) -> bool:
        path = item.path.relative_to(HOME)
        if str(path) in tests:
            return True
        if path.parts[1] == "pitfalls" and hasattr(item, "callspec"):
            name = str(item.callspec.params.get("name", "")).replace("-", "_")
            return (
                name in folders
                or _group_of(name) in groups
                or (everywhere and _stands_for_all(name))
            )
        if len(path.parts) == 2:
            return bool(rooms)
        return path.parts[1] in rooms and item.path.stem not in slow

    return [item for item in items if concerns(item)]


def _in_a_pitfall(path: PurePosixPath) -> bool:
    return path.parts[:3] == ("src", "keng", "pitfalls") and len(path.parts) > 5


def _group_of(folder: str) -> str:
    found = next((HOME / "src/keng/pitfalls").glob(f"*/{folder}"), None) if folder else None
    return found.parent.name if found is not None else ""


def _stands_for_all(name: str) -> bool:
    return bool(name) and sum(name.encode()) % SAMPLE == 0
