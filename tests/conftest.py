from __future__ import annotations

import pytest

TOLD: list[str] = []
"""What the battery could not prove here, for the end of the run."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in TOLD:
        terminalreporter.write_line(line)
