"""The skill, and the configuration of the coding agents that read it: what `keng skill install` writes."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from keng._util.texts import sentence

SKILL = Path(__file__).with_name("SKILL.md")
SERVER = {"command": "keng", "args": ["mcp"]}


class Unreadable(Exception):  # noqa: N818
    """A configuration that is not the JSON that its client reads."""

    def __init__(self, path: Path, says: str) -> None:
        super().__init__(f"{path}: {says}")
        self.path, self.says = path, says


class Change(NamedTuple):
    """A file to be written. `before` is None for a new one."""

    path: Path
    before: str | None
    after: str

    def diff(self) -> list[str]:
        before, after = (text.splitlines(keepends=True) for text in (self.before or "", self.after))
        return list(difflib.unified_diff(before, after, f"a/{self.path}", f"b/{self.path}"))


def claude(folder: Path) -> Iterator[Change]:
    yield _text(folder / ".claude/skills/keng/SKILL.md", SKILL.read_text("utf-8"))
    yield _configured(folder / ".mcp.json", "mcpServers", SERVER)


def codex(folder: Path) -> Iterator[Change]:
    """Codex reads skills of the project; its servers are in the user's own configuration."""
    yield _text(folder / ".agents/skills/keng/SKILL.md", SKILL.read_text("utf-8"))


def cursor(folder: Path) -> Iterator[Change]:
    yield _text(folder / ".cursor/skills/keng/SKILL.md", SKILL.read_text("utf-8"))
    yield _configured(folder / ".cursor/mcp.json", "mcpServers", SERVER)


def gemini(folder: Path) -> Iterator[Change]:
    yield _text(folder / ".gemini/skills/keng/SKILL.md", SKILL.read_text("utf-8"))
    yield _configured(folder / ".gemini/settings.json", "mcpServers", SERVER)


def vscode(folder: Path) -> Iterator[Change]:
    yield _text(folder / ".github/skills/keng/SKILL.md", SKILL.read_text("utf-8"))
    yield _configured(folder / ".vscode/mcp.json", "servers", {"type": "stdio", **SERVER})


CLIENTS: dict[str, Callable[[Path], Iterator[Change]]] = {
    "claude": claude,
    "codex": codex,
    "cursor": cursor,
    "gemini": gemini,
    "vscode": vscode,
}


def changes(client: str, folder: Path) -> list[Change]:
    """What is not yet in a project as the client needs it. Raises Unreadable, OSError."""
    return [change for change in CLIENTS[client](folder) if change.before != change.after]


def _text(path: Path, after: str) -> Change:
    return Change(path, path.read_text("utf-8") if path.exists() else None, after)


def _configured(path: Path, key: str, server: dict[str, Any]) -> Change:
    """The server added to the others of a configuration."""
    before = path.read_text("utf-8") if path.exists() else None
    try:
        table = json.loads(before) if before and before.strip() else {}
        servers = table.setdefault(key, {})
        known = servers.get("keng") == server
        servers["keng"] = server
    except (ValueError, AttributeError, TypeError):
        raise Unreadable(path, sentence("client_config_unreadable", key=key)) from None
    after = before if known and before is not None else json.dumps(table, indent=2) + "\n"
    return Change(path, before, after)
