"""What is clean is not looked at twice, and whatever it hangs on is."""

from __future__ import annotations

from pathlib import Path

import pytest

from keng import check
from keng.check import cache
from keng.check.config import Configs, Settings
from keng.check.rules import Rules
from keng.cli.main import main
from keng.model import Hit, Hits, Severity
from keng.rules import finds
from made import pitfall

DEFAULT = Settings()


@pytest.fixture(autouse=True)
def _here(plain_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ENOUGH", 2)
    monkeypatch.setattr("keng.check.engine.ENOUGH", 2)
    monkeypatch.setenv("XDG_CACHE_HOME", str(plain_folder / ".cache"))
    Path("apart.py").write_text("import torch\n")
    Path("helper.py").write_text("import torch\n\n\ndef move(x):\n    return x\n")
    Path("train.py").write_text("import torch\nimport helper\n\nhelper.move(torch.ones(3))\n")


def looked(severity: Severity = "error", asked: Settings = DEFAULT) -> set[str]:
    """The files that a check looks at; a finder stands for all, and finds one word."""
    seen = set()

    @finds
    def finder(code: object) -> Hits:
        seen.add(code.path)  # type: ignore[attr-defined]
        if "BAD" in code.text:  # type: ignore[attr-defined]
            yield Hit("found")

    unit = pitfall("found", finder, severity=severity, group="device")
    rules = Rules([unit], asked, Configs([unit]))
    check.run(["."], [unit], terms=check.Terms(rules, remember=True))
    return seen


def test_only_what_hangs_on_a_change_is_looked_at_again() -> None:
    everything = {"apart.py", "helper.py", "train.py"}
    assert looked() == everything
    assert looked() == set()
    Path("helper.py").write_text("import torch\n\n\ndef move(x):\n    return x + 1\n")
    assert looked() == {"helper.py", "train.py"}
    Path("train.py").write_text("import torch\nimport apart\n")
    assert looked() == everything
    assert looked() == set()


def test_a_file_that_is_only_touched_is_not() -> None:
    looked()
    Path("helper.py").write_text(Path("helper.py").read_text())
    assert looked() == set()


def test_what_is_found_is_found_again() -> None:
    Path("apart.py").write_text("import torch  # BAD\n")
    looked()
    assert looked() == {"apart.py"}


def test_what_is_told_only_when_asked_for_is_then_looked_for() -> None:
    Path("tests").mkdir()
    Path("tests/a.py").write_text("import torch  # BAD\n")
    looked("warning")
    assert looked("warning") == set()
    assert "tests/a.py" in looked("warning", Settings(extend_select=("found",)))


def test_a_new_file_starts_anew() -> None:
    looked()
    Path("new.py").write_text("import torch\n")
    assert len(looked()) == 4


def test_the_torch_that_is_meant_counts() -> None:
    looked()
    Path("requirements.txt").write_text("torch==1.4\n")
    assert len(looked()) == 3


def test_a_broken_memory_is_as_none(plain_folder: Path) -> None:
    looked()
    (kept,) = (plain_folder / ".cache").rglob("clean-*.json")
    kept.write_text('{"stamp": 3}')
    assert len(looked()) == 3
    assert looked() == set()


def test_the_command_remembers_unless_told_not_to(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["check"], ["check"], ["check", "--no-cache"], ["check", "--fix"]):
        assert main(args) == 0
        assert capsys.readouterr().out == "nothing found in 3 files\n"
