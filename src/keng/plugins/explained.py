"""What explains an error, below its traceback."""

from __future__ import annotations

import sys
from contextlib import suppress


def explain(error: BaseException) -> None:
    """Writes what explains an error to standard error."""
    # Whatever goes wrong here, the error itself has been shown.
    with suppress(Exception):
        from keng.cli.explain import below_traceback
        from keng.cli.options import locale
        from keng.explain.engine import explain_live
        from keng.report.screen import Screen
        from keng.report.words import Words

        screen = Screen(sys.stderr, "auto")
        lines = below_traceback(error, explain_live(error), screen, Words(locale()))
        screen.show([[], *lines] if len(lines) > 1 else lines)
