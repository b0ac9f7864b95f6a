"""Configuration: `[tool.keng]` in pyproject.toml, or keng.toml.

Of the folders above a file the nearest that holds one decides, with the file that it extends. What
the command line asks for is written in the same terms.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, cast

from keng import pitfalls
from keng._util import settings as files
from keng._util.texts import LANGUAGES, sentence, why
from keng._util.version import VERSION
from keng.check.patterns import patterns
from keng.model import SEVERITIES, Pitfall, Severity, Skipped
from keng.pitfalls.packs import OFF
from keng.pitfalls.select import Wrong, meant
from keng.source.project.torch_version import at_least, lower_bound

PerFile = tuple[tuple[str, tuple[str, ...]], ...]


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
    hints: bool = False
    torch: str = ""
    baseline: str = ""
    lang: str = ""
    output_format: str = ""
    fail_on: str = ""
    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    packs: tuple[str, ...] = ()
    extend: str = ""
    required_version: str = ""

    def validate(self, every: Sequence[Pitfall]) -> None:
        """Raises Wrong where a name or a pattern means nothing."""
        spared = [name for _, names in self.per_file_ignores for name in names]
        changed = (name for name, _ in self.severity)
        fixes = (*(self.fixable or ()), *self.unfixable)
        chosen = (*(self.select or ()), *self.ignore, *self.extend_select)
        meant((*chosen, *spared, *changed, *fixes), every)
        for pattern in (*self.exclude, *(pattern for pattern, _ in self.per_file_ignores)):
            try:
                patterns((pattern,))
            except ValueError:
                raise Wrong(f"`{pattern}` is no pattern of paths") from None
        if self.torch and lower_bound(self.torch) is None:
            raise Wrong(f'torch: `{self.torch}` names no versions, as ">=2.4" does')
        oldest = lower_bound(self.required_version) if self.required_version else ()
        if oldest is None:
            wrong = (
                f'required-version: `{self.required_version}` names no versions, as ">=0.1" does'
            )
            raise Wrong(wrong)
        own = tuple(map(int, VERSION.split(".")))
        if not at_least(own, ".".join(map(str, oldest)) or "0"):
            raise Wrong(f"this is keng {VERSION}, and required-version is {self.required_version}")


class Configs:
    """The settings of each file, read once a folder. `given` stands for all files."""

    def __init__(self, every: Sequence[Pitfall], given: str | None = None) -> None:
        self._every = every
        self._by_folder: dict[str, Settings] = {}
        self.skipped: list[Skipped] = []
        """The packs that they name and that are not loaded."""
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
        for path in _files_in(folder):
            if (tables := _tables_of(path)) is not None:
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
        self.skipped += [] if os.environ.get(OFF) else _packs_not_loaded(settings)
        return settings


def _packs_not_loaded(settings: Settings) -> list[Skipped]:
    """The packs of a project in which keng does not run: loading them would execute code of a folder
    that is only read."""
    loaded = pitfalls.pack_homes()
    return [
        Skipped(_shown(settings.file), sentence("pack_not_loaded", pack=word), ours=True)
        for word in settings.packs
        if os.path.normpath(os.path.join(os.path.abspath(settings.home), word)) not in loaded
    ]


def _files_in(folder: str) -> list[str]:
    """The files of a folder that may configure keng."""
    try:
        return list(files.files_in(folder))
    except OSError as error:
        subject = _shown(str(error.filename))
        raise Wrong(sentence("about", subject=subject, says=why(error))) from None


def _tables_of(path: str) -> dict[str, Any] | None:
    tables = files.tables_of(path)
    if isinstance(tables, Skipped):
        raise Wrong(sentence("about", subject=_shown(tables.path), says=tables.why))
    return tables


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


def _one_of(*words: str) -> Callable[[str, object], str]:
    def read(key: str, value: object) -> str:
        if value not in words:
            _refuse(key, "must_be_one_of", words=", ".join(words))
        return str(value)

    return read


def _severities(key: str, value: object) -> tuple[tuple[str, Severity], ...]:
    if not isinstance(value, dict):
        _refuse(key, "must_be_severities")
    read = _one_of(*SEVERITIES)
    return tuple(
        (name, cast("Severity", read(f"{key}.{name}", each))) for name, each in value.items()
    )


def _refuse(key: str, id: str, **values: str) -> NoReturn:
    raise Wrong(sentence(id, key=key, **values))


READERS: dict[str, Callable[[str, object], Any]] = {
    "select": _words,
    "ignore": _words,
    "extend-select": _words,
    "per-file-ignores": _per_file,
    "exclude": _words,
    "suspicious": _flag,
    "hints": _flag,
    "torch": _text,
    "baseline": _file,
    "lang": _one_of(*LANGUAGES),
    "output-format": _text,
    "fail-on": _one_of(*files.FAIL_ON),
    "fixable": _words,
    "unfixable": _words,
    "severity": _severities,
    "packs": _words,
    "extend": _file,
    "required-version": _text,
}
