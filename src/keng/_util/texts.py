"""The texts of the engines and of the report, by id, from report/text/en.toml and zh.toml."""

from __future__ import annotations

import os
from collections.abc import Iterable
from errno import EACCES, EISDIR, ENOENT, ENOSPC

from keng._util.cache import load_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.model import Message

    Forms = str | list[str]
    """One text for any number, or one for a single item and one for several."""

LANGUAGES = ("en", "zh")
HOME = os.path.join(os.path.dirname(os.path.dirname(__file__)), "report", "text")


def texts(lang: str) -> dict[str, Forms]:
    """All texts of a language by their id."""
    return load_own(path(lang))


def path(name: str) -> str:
    return os.path.join(HOME, f"{name}.toml")


def text(id: str, lang: str = "en", n: object = 2, /, **values: object) -> str:
    """A text with its holes filled; `n` chooses between its forms."""
    forms = texts(lang)[id]
    form = forms if isinstance(forms, str) else forms[0 if n == 1 else -1]
    return form.format(**values)


def listed(sentences: Iterable[str]) -> str:
    """Sentences one after another, with commas between them; nothing for none."""
    first, *rest = [*sentences] or [""]
    for each in rest:
        first = sentence("list", first=first, next=each)
    return first


def sentence(id: str, /, **values: object) -> Message:
    """What an engine says, in English, with what another language needs."""
    from keng.model import ENGINES, Message  # late: the words of a report need no types

    return Message(id, values, text(id, "en", values.get("n", 2), **values), ENGINES)


FREQUENT = {
    os.strerror(ENOENT): "no_such_file",
    os.strerror(EACCES): "permission_denied",
    os.strerror(EISDIR): "is_folder",
    os.strerror(ENOSPC): "disk_full",
    "no such folder": "no_such_folder",  # from _util/atomic.py
}
"""What the system says of an error, and the id of keng's text."""


def why(error: Exception) -> str:
    """In keng's words for an error that it raised and for a frequent one of the system, in the system's for
    others."""
    from keng.model import Message

    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if isinstance(error, OSError) and text in FREQUENT:
        return sentence(FREQUENT[text])
    return text[:1].lower() + text[1:]
