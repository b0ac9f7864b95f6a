"""A command of keng in a process of its own: its output cannot mix with the protocol on standard output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

PATIENCE = 300.0
"""Seconds that a command may take if the caller sets no limit."""
GRACE = 5.0
"""Seconds between asking a process to end and killing it."""


class Failed(Exception):  # noqa: N818
    """A command that gave no answer; the text says why."""


class Ended(NamedTuple):
    """How a process ended. `output` holds its standard output and standard error, as they came."""

    code: int
    output: str
    timed_out: bool


def answer(args: Sequence[str], stdin: str = "") -> Any:
    """The JSON that a command prints. Raises Failed."""
    try:
        done = subprocess.run(
            command(args),
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"no answer within {PATIENCE:.0f} s") from None
    try:
        return json.loads(done.stdout)
    except ValueError:
        said = done.stderr.strip().removeprefix("keng: ")
        raise Failed(
            said or f"keng ended with code {done.returncode} and printed no JSON"
        ) from None


def run(args: Sequence[str], timeout: float) -> Ended:
    """Runs a program in a process group of its own, which ends when the time is over."""
    with subprocess.Popen(
        command(args),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as child:
        try:
            output, _ = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            return Ended(-signal.SIGTERM, _ended(child), True)
    return Ended(child.returncode, output, False)


def _ended(child: subprocess.Popen[str]) -> str:
    """Ends the group; keng gets the time to report what it found."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            return child.communicate(timeout=GRACE)[0]
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            break
    return child.communicate()[0]


def command(args: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "keng", *args]
