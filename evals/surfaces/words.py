"""`python -m evals words OUT`: draws 100 outputs of keng by a seed and writes them to a folder.

60 explanations of reports, 24 findings of `keng check` and 16 of `keng run` in faulty programs; every
third is in Chinese. Two readers mark them: they see what keng was given and what it printed, and not the
code or the texts of keng.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.marks import without_marks
from evals.sets import HOME, read_toml, sets_of

CHINESE = 3
"""Every third output."""
LONGEST_INPUT = 3500
"""Characters of a report that are shown; the end of a longer one, where its error is."""
Shown = tuple[str, str]
"""What keng was given, and what it printed."""


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals words", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder for the outputs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(args)
    options.out.mkdir(parents=True, exist_ok=True)
    for n, (name, given, printed) in enumerate(_outputs(random.Random(options.seed)), 1):
        text = f"# {n:03} {name}\n\n## Given\n\n{given}\n\n## Printed\n\n{printed}\n"
        (options.out / f"{n:03}.txt").write_text(text)
    return 0


def _outputs(draw: random.Random) -> Iterator[tuple[str, str, str]]:
    kinds: tuple[tuple[str, int, list[str], Callable[[str, str], Shown]], ...] = (
        ("explain", 60, list(_reports()), _explained),
        ("check", 24, list(_programs("check")), _checked),
        ("run", 16, list(_programs("run")), _watched),
    )
    n = 0
    for name, wanted, inputs, shown in kinds:
        draw.shuffle(inputs)
        found = 0
        for given in inputs:
            language = "zh" if n % CHINESE == 2 else "en"
            text, printed = shown(given, language)
            if printed and found < wanted:
                found, n = found + 1, n + 1
                yield name, text, printed
            if found == wanted:
                break


def _reports() -> Iterator[str]:
    """The texts of reports; those that are not PyTorch's have no answer to judge."""
    for path in sorted((HOME / "explain").glob("*/reports.toml")):
        yield from (report["text"] for report in read_toml(path)["report"])


def _programs(surface: str) -> Iterator[str]:
    for each in sets_of(surface):
        yield from (str(p.path) for p in each.programs() if p.faulty and p.path.suffix == ".py")


def _explained(text: str, language: str) -> Shown:
    done = _keng("explain", "--lang", language, "-", given=text)
    known = done.returncode == 0 and "keng explain" in done.stdout
    return text[-LONGEST_INPUT:], done.stdout if known else ""


def _checked(path: str, language: str) -> Shown:
    """The first finding alone: others repeat its form."""
    text = without_marks(Path(path).read_text())
    done = _keng("check", "--lang", language, "--stdin-filename", "train.py", "-", given=text)
    return text, done.stdout.split("\n\n")[0] if done.returncode == 1 else ""


def _watched(path: str, language: str) -> Shown:
    text = without_marks(Path(path).read_text())
    with TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(text)
        done = _keng("run", "--lang", language, "train.py", folder=folder)
    return text, done.stderr.strip() if "keng explain" in done.stderr else ""


def _keng(*words: str, given: str = "", folder: str = ".") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keng", *words],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"},
    )
