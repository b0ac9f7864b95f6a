"""How often tests fail that depend on timing: `python benchmarks/repeat_tests.py [options] TESTS ...`.

    python benchmarks/repeat_tests.py --times 200 --load 2 tests/ranks/test_jobs.py -k rank_that_dies

Every test runs `--times` times in one process, next to `--load` processes that compute without end. What
the tests start is forked from one process that has imported torch, so a run costs a fraction of a second.
Printed at the end: the runs and failures of each test. The exit code is 1 if any run failed. All other
arguments are pytest's.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from time import monotonic

import pytest

REPETITION = "repetition"


class Repeat:
    """A pytest plugin: every test takes part `times` times, and its outcomes are counted by its name."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.ran: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    @pytest.fixture(name=REPETITION)
    def repetition(self, request: pytest.FixtureRequest) -> object:
        return request.param

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        metafunc.fixturenames.append(REPETITION)
        names = [f"run{number}" for number in range(self.times)]
        metafunc.parametrize(REPETITION, range(self.times), indirect=True, ids=names)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = _without_repetition(report.nodeid)
        self.ran[name] += report.when == "call" and not report.skipped
        self.failed[name] += report.failed


def _without_repetition(name: str) -> str:
    """`test_x[run7-an error]` and `test_x[run7]` are runs of `test_x[an error]` and `test_x`."""
    stem, _, case = name.partition("[")
    given = re.sub(r"(^|-)run\d+(?=-|$)", "", case.rstrip("]")).lstrip("-")
    return f"{stem}[{given}]" if given else stem


@contextmanager
def computing(processes: int) -> Iterator[None]:
    """Around what is measured: so many processes that never wait."""
    burners = [get_context("fork").Process(target=_burn, daemon=True) for _ in range(processes)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.join()


def _burn() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(1_000_000))


def show(repeat: Repeat, seconds: float) -> None:
    for name, runs in sorted(repeat.ran.items()):
        print(f"{runs:6} runs {repeat.failed[name]:4} failures  {name}")
    runs, failures = repeat.ran.total(), repeat.failed.total()
    print(f"{runs:6} runs {failures:4} failures  in {seconds:.0f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--times", type=int, default=200, help="how often each test runs (200)")
    parser.add_argument("--load", type=int, default=0, help="processes that compute meanwhile (0)")
    options, given = parser.parse_known_args()
    repeat = Repeat(options.times)
    begun = monotonic()
    with computing(options.load):
        code = pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", *given], [repeat])
    show(repeat, monotonic() - begun)
    return 1 if repeat.failed.total() or code not in (0, pytest.ExitCode.TESTS_FAILED) else 0


if __name__ == "__main__":
    sys.exit(main())
