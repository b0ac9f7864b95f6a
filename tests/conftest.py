from __future__ import annotations

from collections.abc import Iterator

import pytest

from programs import Programs

TOLD: list[str] = []
"""What the battery could not prove here, for the end of the run."""


@pytest.fixture(scope="session")
def programs() -> Iterator[Programs]:
    executed = Programs()
    yield executed
    executed.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in TOLD:
        terminalreporter.write_line(line)
