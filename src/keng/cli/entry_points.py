"""`pkg.module:name`: an object of the user's own program, for the commands that need it live."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from keng._util.texts import sentence
from keng.cli.commands import Usage, nearest, refused


def load(target: str, command: str) -> Any:
    """The dataset or loader of that name; a function or class is called to make it. Raises: Usage, with the
    line of the user's own file where that breaks."""
    return made(
        target, command, lambda found: not isinstance(found, type) and hasattr(found, "__getitem__")
    )


def made(target: str, command: str, ready: Callable[[Any], bool]) -> Any:
    """The object of that name. One that is not `ready` and can be called is called to make it. The current
    folder comes first on `sys.path`, as for `python -m`. Raises: Usage."""
    module, colon, name = target.partition(":")
    if module.endswith(".py") and name:
        right = f"{module[:-3].replace(os.sep, '.')}:{name}"
        raise refused(command, sentence("name_the_module", target=right))
    if not (module and colon and name):
        raise refused(command, sentence("not_module_name", target=target))
    sys.path.insert(0, os.getcwd())
    try:
        found = _named(_module(module, command), name, command)
        return found() if callable(found) and not ready(found) else found
    except Usage:
        raise
    except Exception as error:
        raise broke(command, target, error) from None


def broke(command: str, target: str, error: BaseException) -> Usage:
    """That a program of the user raised an error: in one line, with the place in the file that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    lines = str(error).strip().splitlines() or [""]
    what = f"{type(error).__name__}: {lines[0]}{place}"
    return refused(command, sentence("program_broke", target=target, error=what))


def _module(name: str, command: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise refused(command, sentence("no_module", name=name)) from None


def _named(found: Any, name: str, command: str) -> Any:
    where = found.__name__
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            names = [each for each in dir(found) if not each.startswith("_")]
            near = nearest(part, names)
            says = sentence("no_name_in", name=part, module=where, nearest=near)
            raise refused(command, says) from None
    return found
