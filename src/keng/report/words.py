"""The words of the report, from text/en.toml and text/zh.toml."""

from __future__ import annotations

import os

from keng._util.cache import load_own

LANGUAGES = ("en", "zh")
HOME = os.path.join(os.path.dirname(__file__), "text")

TYPE_CHECKING = False
if TYPE_CHECKING:
    Forms = str | list[str]
    """One text for any number, or one for a single thing and one for several."""


class Words:
    """The words of one language."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang

    def __call__(self, key: str, n: int = 2, **values: object) -> str:
        forms = texts(self.lang)[key]
        form = forms if isinstance(forms, str) else forms[0 if n == 1 else -1]
        return form.format(n=n, **values)

    @property
    def colon(self) -> str:
        return "：" if self.lang == "zh" else ": "

    @property
    def semicolon(self) -> str:
        return "；" if self.lang == "zh" else "; "

    @property
    def comma(self) -> str:
        return "，" if self.lang == "zh" else ", "


def texts(lang: str) -> dict[str, Forms]:
    """All texts of a language by their key."""
    return load_own(path(lang))


def path(name: str) -> str:
    return os.path.join(HOME, f"{name}.toml")
