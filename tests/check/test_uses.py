"""Findings in what a program comes to, and in what it does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from keng import check, pitfalls
from keng.check.config import Configs, Settings
from keng.check.rules import Rules

EVERY = list(pitfalls.every())
MOVED = "import torch\n\ndef move(x: torch.Tensor):\n    x.cpu()\n    return x\n"
CALLS = "import torch\n\ndef outer(x):\n    return move(x)\n"
MAIN = "import torch\nfrom parts import outer\n\nprint(outer(torch.ones(3)))\n"
BESIDE = "import torch\nimport parts\n\nprint(torch.ones(3))\n"
TRIAL = (
    "\n\ndef trial():\n    print(move(torch.ones(3)))\n\nif __name__ == '__main__':\n    trial()\n"
)
METHOD = """import torch

class Mover:
    def move(self, x: torch.Tensor):
        x.cpu()
        return x

    def stay(self, x):
        return x
"""
PROGRAMS: dict[str, tuple[dict[str, str], str]] = {
    "called by what is used": ({"parts.py": MOVED + CALLS, "main.py": MAIN}, "error"),
    "called by what nothing uses": ({"parts.py": MOVED + CALLS, "main.py": BESIDE}, "hint"),
    "only in a comment": (
        {"parts.py": MOVED, "main.py": BESIDE + "# parts.move(torch.ones(3))\n"},
        "hint",
    ),
    "imported under another name": (
        {"parts.py": MOVED, "main.py": BESIDE + "from parts import move as shift\nshift(1)\n"},
        "error",
    ),
    "tried out in a module": ({"parts.py": MOVED + TRIAL, "main.py": BESIDE}, "hint"),
    "run as a program": (
        {"parts.py": "import argparse\n" + MOVED + TRIAL, "main.py": BESIDE},
        "error",
    ),
    "looked up in the module": (
        {"parts.py": MOVED, "main.py": BESIDE + "getattr(parts, input())(1)\n"},
        "error",
    ),
    "registered": ({"parts.py": MOVED.replace("def", "@len\ndef"), "main.py": BESIDE}, "error"),
    "of another file of this name": (
        {"parts.py": MOVED, "main.py": BESIDE + "def move(x):\n    return x\n\nmove(1)\n"},
        "hint",
    ),
    "left out of a program": (
        {
            "parts.py": MOVED,
            "main.py": "import torch\nimport other\n",
            "other.py": "import torch\n",
        },
        "hint",
    ),
    "loaded by its name": (
        {
            "parts.py": MOVED,
            "main.py": "import torch\nimport other\nimport importlib\nimportlib.import_module(input())\n",
            "other.py": "import torch\n",
        },
        "error",
    ),
    "a method that is called": (
        {"parts.py": METHOD, "main.py": BESIDE + "parts.Mover().move(torch.ones(3))\n"},
        "error",
    ),
    "a method that nobody names": (
        {"parts.py": METHOD, "main.py": BESIDE + "parts.Mover().stay(torch.ones(3))\n"},
        "hint",
    ),
    "a method of an unknown base": (
        {
            "parts.py": "import lightning\n" + METHOD.replace("Mover", "Mover(lightning.Callback)"),
            "main.py": BESIDE + "parts.Mover().stay(torch.ones(3))\n",
        },
        "error",
    ),
}


@pytest.fixture(autouse=True)
def _project_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def level(files: Mapping[str, str], paths: list[str]) -> str:
    for name, text in files.items():
        Path(name).write_text(text)
    terms = check.Terms(Rules(EVERY, Settings(select=("tensor-move-discarded",)), Configs(EVERY)))
    result = check.run(paths, EVERY, terms=terms)
    (finding,) = [*result.findings, *result.hints]
    return finding.severity


@pytest.mark.parametrize(("files", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_level_of_a_finding_by_what_comes_to_it(files: Mapping[str, str], expected: str) -> None:
    assert level(files, ["."]) == expected


def test_files_that_are_named_alone_say_nothing_of_their_users() -> None:
    files, _ = PROGRAMS["called by what nothing uses"]
    assert level(files, sorted(files)) == "error"
