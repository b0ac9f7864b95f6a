"""The addresses of the project, from `[project.urls]` of pyproject.toml; empty until they are known."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from keng._util.toml import load_toml
from keng._util.version import VERSION

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
PUBLISHED = re.compile(r"<!-- once published\n(.*?)-->\n?", re.DOTALL)
"""A part of a page that needs an address: a comment, with `{repository}`, `{name}` and `{version}` in it."""


def urls() -> dict[str, Any]:
    tables = load_toml(PYPROJECT)
    assert isinstance(tables, dict), tables
    found: dict[str, Any] = tables["project"].get("urls", {})
    return found


def repository() -> str:
    return str(urls().get("Repository", "")).rstrip("/")


def documentation(lang: str = "en") -> str:
    """That of the site in this language, with a slash at its end; empty until it is known."""
    home = str(urls().get("Documentation", "")).rstrip("/")
    if not home:
        return ""
    return f"{home}/zh/" if lang == "zh" else f"{home}/"


def filled(text: str) -> str:
    """A page with its parts for a published keng, or without them."""
    home = repository()
    if not home:
        return PUBLISHED.sub("", text)
    values = {
        "{repository}": home,
        "{name}": home.split("/", 3)[-1],
        "{version}": VERSION,
    }
    return PUBLISHED.sub(lambda part: _replaced(part[1], values), text)


def _replaced(text: str, values: dict[str, str]) -> str:
    for hole, value in values.items():
        text = text.replace(hole, value)
    return text
