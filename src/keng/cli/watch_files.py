"""`--watch`: again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable

from keng.cli.commands import Usage
from keng.cli.selection import usage
from keng.pitfalls.select import Wrong
from keng.report.screen import Piece, Screen
from keng.report.words import Words

PAUSE = 0.5
"""Seconds between two looks at the files' times."""


def watch(
    once: Callable[[], int], state: Callable[[], dict[str, object]], options: argparse.Namespace
) -> int:
    """A usage that has become wrong, as a configuration in the making, is told and waited for."""
    words = Words(options.lang)
    screen = Screen(sys.stderr, options.color)
    try:
        while True:
            seen = state()
            try:
                once()
            except (Usage, Wrong) as error:
                print(
                    f"keng: {usage(error) if isinstance(error, Wrong) else error}", file=sys.stderr
                )
            screen.show([[Piece(words("watching", files=words("files", len(seen))), "dim")]])
            sys.stdout.flush()
            while state() == seen:
                time.sleep(PAUSE)
    except KeyboardInterrupt:
        return 0


def stamps(files: Iterable[str]) -> dict[str, object]:
    """When each file was written last, and its size."""
    found: dict[str, object] = {}
    for file in files:
        try:
            status = os.stat(file)
        except OSError:
            found[file] = None
        else:
            found[file] = (status.st_mtime_ns, status.st_size)
    return found
