"""The sentences of probes in each language, from text.toml."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from keng._util.cache import load_own


@dataclass(frozen=True)
class Text:
    """The id of a sentence and its values. A value that is a Text is put in as that sentence."""

    id: str
    values: dict[str, Any] = field(default_factory=dict)

    def says(self, lang: str = "en") -> str:
        values = {
            name: value.says(lang) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
        return _sentences()[self.id][lang].format(**values)

    def __str__(self) -> str:
        return self.says()


def text(name: str, **values: Any) -> Text:
    return Text(name, values)


@lru_cache(maxsize=1)
def _sentences() -> dict[str, dict[str, str]]:
    return load_own(str(Path(__file__).with_name("text.toml")))
