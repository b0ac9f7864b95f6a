"""Findings in what a program comes to, and in what it does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from keng import check, pitfalls
from keng.check.config import Configs, Settings
from keng.check.rules import Rules
from keng.check.uses import Uses
from keng.source.project.files import Files

EVERY = list(pitfalls.every())
MOVED = "import torch\n\ndef move(x: torch.Tensor):\n    x.cpu()\n    return x\n"
CALLS = "import torch\n\ndef outer(x):\n    return move(x)\n"
MAIN = "import torch\nfrom parts import outer\n\nprint(outer(torch.ones(3)))\n"
BESIDE = "import torch\nimport parts\n\nprint(torch.ones(3))\n"
TRIAL = (
    "\n\ndef trial():\n    print(move(torch.ones(3)))\n\nif __name__ == '__main__':\n    trial()\n"
)
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
            "main.py": "import torch\nimport other\n\nprint(torch)\n",
            "other.py": "import torch\n",
        },
        "hint",
    ),
    "of a library without a program": (
        {
            "parts.py": MOVED,
            "main.py": "import torch\nimport other\n",
            "other.py": "import torch\n",
        },
        "error",
    ),
    "handed on by a package that nothing imports": (
        {"parts.py": MOVED, "__init__.py": "import torch\nfrom parts import move\n"},
        "error",
    ),
    "loaded by its name": (
        {
            "parts.py": MOVED,
            "main.py": "import torch\nimport other\nimport importlib\nimportlib.import_module(input())\n",
            "other.py": "import torch\n",
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
    [finding] = [*result.findings, *result.hints]
    return finding.severity


@pytest.mark.parametrize(("files", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_level_of_a_finding_by_what_comes_to_it(files: Mapping[str, str], expected: str) -> None:
    assert level(files, ["."]) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("raise NotImplementedError", "hint"),
        ("if len(x):\n        raise ValueError", "error"),
        ("while True:\n        break", "error"),
        ("def g():\n        return 1", "error"),
    ],
)
def test_what_stands_behind_the_end_of_its_block_is_a_hint(before: str, expected: str) -> None:
    text = MOVED.replace("    x.cpu()", f"    {before}\n    x.cpu()") + "\nmove(torch.ones(2))\n"
    assert level({"a.py": text}, ["."]) == expected


def test_files_that_are_named_alone_say_nothing_of_their_users() -> None:
    files, _ = PROGRAMS["called by what nothing uses"]
    assert level(files, sorted(files)) == "error"


def test_what_calls_each_other_is_used_in_any_order() -> None:
    files = {
        "parts.py": "def even(n):\n    return odd(n - 1)\n\ndef odd(n):\n    return even(n - 1)\n",
        "main.py": "from parts import even\n\nprint(even(3))\n",
        "apart.py": "import parts\n\ndef one():\n    return two()\n\ndef two():\n    return one()\n",
    }
    for name, text in files.items():
        Path(name).write_text(text)
    members = sorted(files)
    uses = Uses(Files(["."], members), members)
    assert uses.is_used("parts.py", b"even")
    assert uses.is_used("parts.py", b"odd")
    assert not uses.is_used("apart.py", b"one")
    assert not uses.is_used("apart.py", b"two")
