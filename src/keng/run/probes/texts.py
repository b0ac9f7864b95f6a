"""The sentences of probes in each language, from text.toml."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keng._util.cache import load_own

SENTENCES = str(Path(__file__).with_name("text.toml"))


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
        sentence: str = load_own(SENTENCES)[self.id][lang]
        return sentence.format(**values)

    def __str__(self) -> str:
        return self.says()


def text(name: str, **values: Any) -> Text:
    return Text(name, values)
