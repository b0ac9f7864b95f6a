"""The programs, messages and machines of a pitfall: those of its README.md and those in cases/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from keng import pitfalls
from keng.model import Pitfall
from keng.pitfalls.contents import recorded
from keng.pitfalls.page import MARK, page_of

NEEDS = re.compile(r"^# needs: (.+)\n", re.MULTILINE)
NOTHING = "nothing"
"""What a case needs that runs everywhere, though the front matter says more."""
LABELS = {"bad": "Bad", "good": "Good", "fine": "Fine", "machine": "Machine", "healthy": "Healthy"}
PROOF = "\n# proof\n"
README_PROOF = "readme_proof.py"
"""The asserts that run after the Bad program of README.md."""


class Case(NamedTuple):
    """`label` is Bad, Good, Fine, Message, Machine or Healthy; `note` says what it shows, or who has
    printed the message; `proof` are the asserts that run after a Bad, `says` what the explanation of
    a message must contain, and `ids` the texts of text.toml that it must be made of. `needs` is what the
    program needs and a machine may lack: what a line `# needs: ...` of it or the front matter says."""

    label: str
    note: str
    text: str
    proof: str = ""
    says: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    needs: str = ""

    def marks(self, kind: str = "check") -> list[int]:
        """Lines, from 1, with a mark: `# check: reason` or `# run: reason`."""
        lines = enumerate(self.text.splitlines(), 1)
        return [n for n, line in lines for mark in MARK.finditer(line) if mark[1] == kind]


@cache
def cases_of(unit: Pitfall) -> tuple[Case, ...]:
    return (*_of_readme(unit), *_of_folder(unit), *_recorded(unit))


def _of_readme(unit: Pitfall) -> Iterator[Case]:
    proof = pitfalls.folder(unit.name) / "cases" / README_PROOF
    for block in page_of(unit).blocks:
        if block.label in ("Bad", "Good"):
            asserts = proof.read_text("utf-8") if block.label == "Bad" and proof.exists() else ""
            yield Case(block.label, block.note, block.text, asserts, needs=unit.needs)


def _of_folder(unit: Pitfall) -> Iterator[Case]:
    for file in sorted(pitfalls.folder(unit.name).glob("cases/*")):
        if file.name != README_PROOF and file.suffix in (".py", ".toml"):
            yield _case(file, unit.needs)


def _case(file: Path, needs: str) -> Case:
    text, _, proof = file.read_text("utf-8").partition(PROOF)
    first, _, _ = text.partition("\n")
    assert first.startswith("# "), f"{file}:1: the first line is a comment that says what it shows"
    label = LABELS[file.stem.partition("_")[0]]
    own = NEEDS.search(text)
    text = text if text.endswith("\n") else f"{text}\n"
    needs = own[1] if own else needs
    return Case(label, first[2:], text, proof, needs="" if needs == NOTHING else needs)


def _recorded(unit: Pitfall) -> Iterator[Case]:
    for each in recorded(str(pitfalls.folder(unit.name))):
        says, ids = tuple(each.get("says", ())), tuple(each.get("ids", ()))
        yield Case("Message", each["by"], each["text"], says=says, ids=ids)
