"""What a new user types first: configuration, exit codes, versions, and what keng says it did not do."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from keng.cli import install
from keng.cli.main import main

BAD = "import torch\nx = torch.ones(3)\nx.cpu()\n"
UNSAFE = (
    "import torch\nfrom torch.nn import functional as F\n\n\ndef loss(x, y):\n"
    "    return F.cross_entropy(x.softmax(1), y)\n"
)


@pytest.fixture
def folder(plain_folder: Path) -> Path:
    (plain_folder / "train.py").write_text(BAD)
    return plain_folder


def typed(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main([*args])
    out, err = capsys.readouterr()
    return code, out, err


def configured(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.keng]\n{text}\n")


def test_file_that_does_not_use_torch_is_not_called_clean(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.py").write_text("def f(:\n")
    _, out, _ = typed(capsys, "check")
    assert "1 error in 1 file\n1 more file was not analysed: it does not use PyTorch" in out


def test_file_that_uses_torch_and_cannot_be_parsed_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.py").write_text("import torch\ndef f(:\n")
    code, _, err = typed(capsys, "check")
    assert code == 2
    assert "broken.py" in err


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", 1), ("warning", 1), ("hint", 1), ("never", 0)]
)
def test_fail_on(folder: Path, capsys: pytest.CaptureFixture[str], fail_on: str, code: int) -> None:
    assert typed(capsys, "check", "--fail-on", fail_on)[0] == code
    configured(folder, f'fail-on = "{fail_on}"')
    assert typed(capsys, "check")[0] == code


def test_fail_on_follows_the_severity(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configured(folder, '[tool.keng.severity]\ntensor-move-discarded = "warning"')
    code, out, _ = typed(capsys, "check", "--fail-on", "error")
    assert (code, "warning tensor-move-discarded" in out) == (0, True)
    assert typed(capsys, "check", "--fail-on", "warning")[0] == 1


def test_severity_of_a_group(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configured(folder, '[tool.keng.severity]\ndevice = "hint"')
    assert "hint tensor-move-discarded" in typed(capsys, "check")[1]


def test_language_and_format_of_the_configuration(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(folder, 'lang = "zh"\noutput-format = "concise"')
    _, out, _ = typed(capsys, "check")
    assert out.startswith("train.py:3:1: 错误 tensor-move-discarded")
    _, out, _ = typed(capsys, "check", "--lang", "en")
    assert out.startswith("train.py:3:1: error tensor-move-discarded")


def test_format_that_does_not_exist(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configured(folder, 'output-format = "sarfi"')
    code, _, err = typed(capsys, "check")
    assert (code, "did you mean `sarif`?" in err) == (2, True)


def test_unfixable_is_shown_and_not_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "train.py").write_text(UNSAFE)
    assert typed(capsys, "check", "--diff", "--unsafe-fixes")[1].startswith("--- train.py")
    for text in ('unfixable = ["softmax-before-cross-entropy"]', 'fixable = ["device"]'):
        configured(folder, text)
        assert typed(capsys, "check", "--diff", "--unsafe-fixes")[1] == ""
        assert "to be made by hand" in typed(capsys, "check")[1]


def test_extended_configuration(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "base").mkdir()
    (folder / "base/keng.toml").write_text('lang = "zh"\nignore = ["tensor-move-discarded"]\n')
    configured(folder, 'extend = "base/keng.toml"')
    code, out, _ = typed(capsys, "check")
    assert (code, out) == (0, "1 个文件中没有发现问题\n")
    configured(folder, 'extend = "base/keng.toml"\nignore = []')
    assert typed(capsys, "check")[0] == 1
    configured(folder, 'extend = "pyproject.toml"')
    code, _, err = typed(capsys, "check")
    assert (code, "leads back to this file" in err) == (2, True)


def test_required_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configured(folder, 'required-version = ">=0.1"')
    assert typed(capsys, "check")[0] == 1
    configured(folder, 'required-version = ">=99"')
    code, _, err = typed(capsys, "check")
    assert (code, "required-version is >=99" in err) == (2, True)


def test_diff_says_how_many_fixes_it_leaves_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "train.py").write_text(UNSAFE)
    _, out, err = typed(capsys, "check", "--diff")
    assert out == ""
    assert err.startswith("1 fix may change what the program does, and is left out")
    assert "left out" not in typed(capsys, "check", "--diff", "--unsafe-fixes")[2]


def test_versions_for_a_bug_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, "env", "--versions")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()][:5] == [
        *("keng", "python", "platform", "cpus", "torch")
    ]
    assert json.loads(typed(capsys, "env", "--versions", "--json")[1])["keng"]


def test_run_without_torch_names_the_environment_that_has_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    assert install.missing_torch(["train.py"]).startswith(
        f"{sys.executable} has no PyTorch: install"
    )
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/python").symlink_to(sys.executable)
    assert install.missing_torch(["train.py"]).startswith(
        f"{sys.executable} has no PyTorch: install"
    ), "no torch in it"
    (folder / ".venv/lib/python3.12/site-packages/torch").mkdir(parents=True)
    assert "`.venv/bin/python -m keng run train.py`" in install.missing_torch(["run", "train.py"])


def test_output_has_one_spelling(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("-o", "--output", "--output-file"):
        typed(capsys, "check", "--json", option, "found.json")
        assert json.loads((folder / "found.json").read_text())
        (folder / "found.json").unlink()
