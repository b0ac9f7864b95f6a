"""Configuration: `[tool.keng]` in pyproject.toml, or keng.toml.

Of the folders above a file the nearest that holds one decides alone. What the command line asks for
is written in the same terms.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from keng._util.texts import sentence, why
from keng._util.toml import load_toml
from keng.check.patterns import patterns
from keng.model import Pitfall, Skipped
from keng.pitfalls.select import Wrong, meant
from keng.source.project.torch_version import lower_bound

PerFile = tuple[tuple[str, tuple[str, ...]], ...]
NAMES = ("keng.toml", "pyproject.toml")


class Settings(NamedTuple):
    """Names are those of pitfalls, of groups, or `all`. `select` is None where nothing was said;
    `home` is the folder that patterns and `baseline` count from, `file` where it was said."""

    home: Path = Path()
    file: str = ""
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: PerFile = ()
    exclude: tuple[str, ...] = ()
    suspicious: bool = False
    torch: str = ""
    baseline: str = ""

    def validate(self, every: Sequence[Pitfall]) -> None:
        """Raises Wrong where a name or a pattern means nothing."""
        spared = [name for _, names in self.per_file_ignores for name in names]
        meant((*(self.select or ()), *self.ignore, *self.extend_select, *spared), every)
        for pattern in (*self.exclude, *(pattern for pattern, _ in self.per_file_ignores)):
            try:
                patterns((pattern,))
            except ValueError:
                raise Wrong(f"`{pattern}` is no pattern of paths") from None
        if self.torch and lower_bound(self.torch) is None:
            raise Wrong(f'torch: `{self.torch}` names no versions, as ">=2.4" does')


class Configs:
    """The settings of each file, read once a folder. `given` stands for all files."""

    def __init__(self, every: Sequence[Pitfall], given: str | None = None) -> None:
        self._every = every
        self._by_folder: dict[str, Settings] = {}
        self._given = self._read(given, "", _tables_of(given)) if given is not None else None

    def of(self, path: str) -> Settings:
        """Of a file or folder by what lies above it. Raises Wrong for a file that is wrong."""
        return self._given or self._in(os.path.dirname(os.path.abspath(path)))

    @property
    def files(self) -> list[str]:
        """Those that were read."""
        return sorted({s.file for s in (self._given, *self._by_folder.values()) if s and s.file})

    def _in(self, folder: str) -> Settings:
        if folder not in self._by_folder:
            self._by_folder[folder] = self._found(folder)
        return self._by_folder[folder]

    def _found(self, folder: str) -> Settings:
        for name in NAMES:
            path = os.path.join(folder, name)
            if _may_configure(path) and (tables := _tables_of(path)) is not None:
                return self._read(path, folder, tables)
        above = os.path.dirname(folder)
        return self._in(above) if above != folder else Settings()

    def _read(self, path: str, home: str, tables: dict[str, Any] | None) -> Settings:
        if tables is None:
            raise Wrong(f"{path}: no [tool.keng] in it")
        try:
            settings = _settings(tables, Path(home), path)
            settings.validate(self._every)
        except Wrong as wrong:
            says = sentence("about", subject=_shown(path), says=wrong.args[0])
            raise Wrong(says, wrong.word, wrong.known) from None
        return settings


def _may_configure(path: str) -> bool:
    """Whether a file is there and speaks of keng; the others need not be parsed."""
    try:
        with open(path, "rb") as file:
            return b"keng" in file.read() or path.endswith("keng.toml")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Wrong(sentence("about", subject=_shown(path), says=why(error))) from None


def _tables_of(path: str) -> dict[str, Any] | None:
    tables = load_toml(path)
    if isinstance(tables, Skipped):
        raise Wrong(sentence("about", subject=_shown(path), says=tables.why))
    if os.path.basename(path) != "pyproject.toml":
        return tables
    tool = tables.get("tool")
    own = tool.get("keng") if isinstance(tool, dict) else None
    return own if isinstance(own, dict) else None


def _shown(path: str) -> str:
    near = os.path.relpath(path)
    return path if near.startswith("..") else near


def _settings(tables: dict[str, Any], home: Path, file: str) -> Settings:
    given: dict[str, Any] = {}
    for key, value in tables.items():
        if key not in READERS:
            raise Wrong(sentence("no_key", key=key), key, READERS)
        given[key.replace("-", "_")] = READERS[key](key, value)
    return Settings(home, file, **given)


def _words(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        _refuse(key, "must_be_texts")
    return tuple(value)


def _per_file(key: str, value: object) -> PerFile:
    if not isinstance(value, dict):
        _refuse(key, "must_be_patterns")
    return tuple((pattern, _words(f"{key}.{pattern}", names)) for pattern, names in value.items())


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        _refuse(key, "must_be_flag")
    return value


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        _refuse(key, "must_be_version")
    return value


def _file(key: str, value: object) -> str:
    if not isinstance(value, str):
        _refuse(key, "must_be_path")
    return value


def _refuse(key: str, id: str) -> NoReturn:
    raise Wrong(sentence(id, key=key))


READERS: dict[str, Callable[[str, object], Any]] = {
    "select": _words,
    "ignore": _words,
    "extend-select": _words,
    "per-file-ignores": _per_file,
    "exclude": _words,
    "suspicious": _flag,
    "torch": _text,
    "baseline": _file,
}
