"""What the commands have in common: help, options before the command, completions."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from keng.cli import completions
from keng.cli.commands import imported
from keng.cli.main import COMMANDS, main


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"ckpt"}))
def test_help_is_the_same_in_both_forms(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for args in (["help", command], [command, "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(args)
        assert ended.value.code == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert said[0].startswith(f"usage: keng {command}")


@pytest.mark.parametrize(
    "command", ["check", "run", "explain", "env", "data", "pits", "probe", "tune-loader"]
)
def test_help_has_three_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["help", command])
    examples = capsys.readouterr().out.partition("examples:\n")[2]
    assert len(re.findall(r"keng", examples)) >= 3


def test_a_long_description_is_wrapped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["ckpt", "convert", "--help"])
    about = capsys.readouterr().out.partition("\n\n")[2].partition("\npositional")[0]
    assert len(about.splitlines()) >= 2
    assert max(map(len, about.splitlines())) <= 80


def test_version_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == main(["--version"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


@pytest.mark.parametrize("before", [["--lang", "zh"], ["--lang=zh", "--color", "never"]])
def test_options_may_come_before_the_command(
    before: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*before, "pits", "nan"]) == 0
    assert "损失变成 NaN" in capsys.readouterr().out


def test_options_before_ckpt_reach_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "zh", "ckpt", "show", "gone.pt"]) == 2
    assert "没有这个文件" in capsys.readouterr().err


@pytest.mark.parametrize("shell", completions.SHELLS)
def test_completions_name_commands_and_options(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completions", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)
    assert "unsafe-fixes" in script


def test_bash_accepts_its_completions(capsys: pytest.CaptureFixture[str]) -> None:
    main(["completions", "bash"])
    bash = shutil.which("bash")
    assert bash is not None
    asked = "\nCOMP_WORDS=(keng che); COMP_CWORD=1; _shtab_keng 2>/dev/null; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        [bash], input=capsys.readouterr().out + asked, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["check"]


@pytest.mark.parametrize("command", ["data", "tune-loader"])
def test_page_is_written_by_either_spelling_of_the_flag(command: str) -> None:
    parser = imported(command.replace("-", "_")).parser()
    for flag in ("-o", "--output", "--html"):
        assert parser.parse(["samples:dataset", flag, "page.html"]).output == "page.html"
