"""What every command needs: its errors, and its module imported when it is called."""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


class Usage(Exception):  # noqa: N818
    """What is wrong with a command line, in one line."""


def refused_by(id: str, /, **values: object) -> Usage:
    """An error by the id of its text."""
    from keng._util.texts import sentence  # late: most commands are right

    return Usage(sentence(id, **values))


def refused(command: str, says: str, subject: str = "") -> Usage:
    """An error of a command, about a file or another subject where one is named."""
    from keng._util.texts import sentence

    about = sentence("about", subject=subject, says=says) if subject else says
    return refused_by("about", subject=command, says=about)


def nearest(word: str, words: Iterable[str], least: float = 0.6) -> str:
    """ "; did you mean `that`?" where one of the words is near, from 0 (any) to 1 (the same)."""
    from difflib import get_close_matches

    from keng._util.texts import sentence

    close = get_close_matches(word, list(words), 1, least)
    return sentence("did_you_mean", word=close[0]) if close else ""


def imported(command: str) -> ModuleType:
    """The module of a command. What an import makes lives to the end, and is not searched for garbage."""
    from importlib import import_module

    collects = gc.isenabled()
    gc.disable()
    try:
        return import_module(f"keng.cli.{command}")
    finally:
        gc.freeze()
        if collects:
            gc.enable()
