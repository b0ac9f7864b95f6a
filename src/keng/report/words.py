"""The words of the report in one language."""

from __future__ import annotations

from keng._util.texts import text


class Words:
    """The words of one language."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang

    def __call__(self, key: str, n: int = 2, **values: object) -> str:
        return text(key, self.lang, n, n=n, **values)

    @property
    def colon(self) -> str:
        return "：" if self.lang == "zh" else ": "

    @property
    def semicolon(self) -> str:
        return "；" if self.lang == "zh" else "; "

    @property
    def comma(self) -> str:
        return "，" if self.lang == "zh" else ", "
