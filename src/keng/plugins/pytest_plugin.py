"""`pytest --keng`: each collected file and the project's modules that it imports are checked as
well, and what fails in a test is explained.

Loaded by every run of pytest, so nothing of keng is imported before it is asked for.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Generator, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from keng.check import Result
    from keng.report.screen import Screen
    from keng.report.words import Words


def pytest_addoption(parser: pytest.Parser) -> None:
    what = "check the collected files for pitfalls of PyTorch, and explain the errors of tests"
    parser.getgroup("keng").addoption("--keng", action="store_true", help=what)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("keng"):
        config.pluginmanager.register(Asked(), "keng-asked")


@pytest.fixture
def keng_probe() -> Callable[..., Any]:
    """`keng_probe(model, batch)` fails the test where the model mixes rows, sees later positions, or lets
    padding change its results; it takes what `keng.toolbox.probe` takes, and returns the report."""
    return _probed


def _probed(
    model: Any,
    batch: Any,
    *,
    loss: Any = None,
    exempt: Collection[str] = (),
    seconds: float | None = None,
) -> Any:
    __tracebackhide__ = True
    from keng.run.probes import call_of, probe_run

    report = probe_run(call_of(model, batch, loss), seconds, exempt)
    if report.refused:
        pytest.fail(f"keng: the model cannot be probed: {report.refused}", pytrace=False)
    if report.findings:
        pytest.fail("\n".join(_line(each) for each in report.findings), pytrace=False)
    return report


def _line(finding: Any) -> str:
    """One finding as a compiler prints it."""
    where = finding.place.where if finding.place is not None else None
    place = f"{where.path}:{where.line}: " if where else ""
    return f"{place}{finding.confidence} {finding.pitfall}: {finding.says}"


class Asked:
    """What pytest asks where `--keng` was given."""

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.File | None:
        if file_path.suffix != ".py":
            return None
        return CheckedFile.from_parent(parent, path=file_path)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        own = isinstance(item, CheckedItem)
        if report.failed and call.excinfo is not None and not own:
            text = explained(call.excinfo.value)
            report.sections += [("keng", text)] if text else []
        return report


class CheckedFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield CheckedItem.from_parent(self, name="keng")
        for path in self.config.stash.setdefault(CHECKS, Checks()).imported_by(self.path):
            yield CheckedItem.from_parent(self, name=f"keng {path.name}", checked=path)


class Found(Exception):  # noqa: N818
    """A file is not clean; holds what is to be told of it."""


class CheckedItem(pytest.Item):
    """`keng check` of one file, with the configuration that lies above it: that of tests, or one that
    it imports."""

    def __init__(self, *, checked: Path | None = None, **rest: Any) -> None:
        super().__init__(**rest)
        self._checked = checked or self.path

    def runtest(self) -> None:
        result = self._project.look(self._checked)
        if result.findings or result.skipped:
            raise Found(told(result))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> str:
        if isinstance(excinfo.value, Found):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self._checked, None, f"keng check {self._checked.name}"

    @property
    def _project(self) -> Checks:
        return self.config.stash.setdefault(CHECKS, Checks())


class Checks:
    """The rules, which all items of a session share, and the modules that are checked already."""

    def __init__(self) -> None:
        self._seen: set[Path] = set()

    def imported_by(self, path: Path) -> list[Path]:
        """The project's modules that a file imports, itself or by others, and that no file before has
        imported. Modules of tests are files of their own."""
        from keng.check.imports import imported_by

        found = imported_by(path, self._seen)
        return sorted(each for each in found if not each.name.startswith(("test_", "conftest")))

    def look(self, path: Path) -> Result:
        from keng import check

        return check.run([str(path)], self._every, terms=self._terms)

    @cached_property
    def _every(self) -> list[Any]:
        from keng import pitfalls

        return list(pitfalls.every())

    @cached_property
    def _terms(self) -> Any:
        from keng import check

        configs = check.Configs(self._every, None)
        return check.Terms(rules=check.Rules(self._every, check.Settings(), configs))


CHECKS = pytest.StashKey[Checks]()


def told(result: Result) -> str:
    from keng import check
    from keng.cli.files import reader
    from keng.report import findings
    from keng.report.translation import findings_in

    text, screen, words = _paper()
    read = reader(check.texts(result.sources))
    for finding in findings_in(words.lang, result.findings):
        screen.show([*findings.full(finding, read, words, screen.width), []])
    screen.show(findings.skipped_line(skipped, words) for skipped in result.skipped)
    return text.getvalue().rstrip()


def explained(error: BaseException) -> str:
    """What keng knows of an error of PyTorch's; of another where it came up, and of a test's own assert
    nothing."""
    from keng.cli.explain import below_traceback
    from keng.explain.engine import explain_live

    explanation = explain_live(error)
    if isinstance(error, AssertionError) and not explanation.pytorch:
        return ""
    text, screen, words = _paper()
    screen.show(below_traceback(error, explanation, screen, words))
    return text.getvalue().rstrip()


def _paper() -> tuple[io.StringIO, Screen, Words]:
    from keng.cli.options import locale
    from keng.report.screen import Screen
    from keng.report.words import Words

    text = io.StringIO()
    return text, Screen(text, "never"), Words(locale())
