"""Long texts on a terminal: shown by the pager of the user."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from keng.report.screen import Line, Screen, wants_colours

PAGER = "less -RFX"


def show(lines: Iterable[Line], color: str) -> None:
    """Shows lines on standard output; more of them than a terminal has rows by $PAGER, or less."""
    lines = list(lines)
    command = _pager() if sys.stdout.isatty() and len(lines) >= _rows() else []
    if not command:
        Screen(sys.stdout, color).show(lines)
        return
    import subprocess  # late, as most output goes to a pipe or fits

    text = io.StringIO()
    Screen(text, "always" if wants_colours(sys.stdout, color) else "never").show(lines)
    with suppress(KeyboardInterrupt):
        subprocess.run(command, input=text.getvalue(), text=True, check=False)


def _rows() -> int:
    import shutil

    return shutil.get_terminal_size((80, 24)).lines


def _pager() -> list[str]:
    """The command of the pager; empty where it is not installed, or is turned off by an empty $PAGER."""
    import shlex
    import shutil

    command = shlex.split(os.environ.get("PAGER", PAGER))
    if command == ["less"]:
        command = shlex.split(PAGER)
    return command if command and shutil.which(command[0]) else []
