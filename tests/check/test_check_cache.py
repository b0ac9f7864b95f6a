"""What was found in a file is remembered until something changes that it depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from keng import check, pitfalls
from keng.check import cache
from keng.check.config import Configs, Settings
from keng.check.rules import Rules
from keng.cli.main import main
from keng.model import Hit, Hits, Message, Severity
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
        if "ODD" in code.text:  # type: ignore[attr-defined]
            yield Hit(Message("found", {"by": finder}))

    unit = pitfall("found", finder, severity=severity, group="device")
    rules = Rules([unit], asked, Configs([unit]))
    check.run(["."], [unit], terms=check.Terms(rules, remember=True))
    return seen


def test_only_files_that_depend_on_a_change_are_checked_again() -> None:
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


def test_findings_are_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.py").write_text(
        "import torch\n\nx = torch.ones(2)\nx.to('cuda')\nx.cuda()  # keng: ignore\n"
    )
    Path("helper.py").write_text(
        "import torch\nx = torch.ones(2)  # keng: ignore[dtype-mismatch]\n"
    )
    outputs = []
    for format_ in ("full", "concise", "json", "sarif", "json", "full", "concise", "sarif"):
        code = main(["check", "--select", "all", "--output-format", format_])
        outputs.append((format_, code, *capsys.readouterr()))
    assert sorted(outputs[:4]) == sorted([outputs[4], *outputs[5:]])
    assert "tensor-move-discarded" in outputs[0][2]


def test_remembered_findings_are_those_that_were_found(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("train.py").write_text("import torch\n\nx = torch.ones(2)\nx.to('cuda')\nx.cuda(),\n")
    every = list(pitfalls.having("check"))

    def found() -> check.Result:
        rules = Rules(every, Settings(select=("all",)), Configs(every))
        return check.run(["."], every, terms=check.Terms(rules, remember=True))

    first = found()
    monkeypatch.setattr("keng.check.analyzer.Look.at_code", None)
    again = found()
    assert again.findings == first.findings != ()
    assert [f.hit.says.id for f in again.findings] == [f.hit.says.id for f in first.findings]
    assert (again.notes, again.files, again.sources.keys()) == (first.notes, 3, {"train.py"})


def test_results_that_cannot_be_cached_are_computed_again() -> None:
    Path("apart.py").write_text("import torch  # ODD\n")
    looked()
    assert looked() == {"apart.py"}


def test_optional_findings_are_computed_on_request() -> None:
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
    (kept,) = (plain_folder / ".cache").rglob("check-*.bin")
    for broken in (b"", b"{}", kept.read_bytes()[:-9]):
        kept.write_bytes(broken)
        assert len(looked()) == 3
        assert looked() == set()


def test_command_uses_the_cache_unless_disabled(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["check"], ["check"], ["check", "--no-cache"], ["check", "--fix"]):
        assert main(args) == 0
        assert capsys.readouterr().out == "nothing found in 3 files\n"
