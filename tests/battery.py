"""What every unit of the catalogue claims on its page, and how each claim is put to the test.

A claim is a function of a battery and a unit that raises AssertionError, or Excused where this machine
cannot tell. Adding a unit adds nothing here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from keng import check, pitfalls
from keng.model import Finder, Finding, Fix, Pitfall
from keng.pitfalls.page import MARK, Block, Page, page_of, translation
from keng.source import Code, Project
from programs import Outcome, Program, Programs

LONGEST_UNIT = 90
"""Lines below the page. A longer unit wants a new question in the vocabulary."""

RANKS = re.compile(r"(\d+) ranks(?: on (\d+) machines)?")
"""A note of a program that several processes run."""


class Excused(Exception):  # noqa: N818
    """Why a claim cannot be put to the test here."""


Claim = Callable[["Battery", Pitfall], None]
CLAIMS: dict[str, Claim] = {}


def claim(function: Claim) -> Claim:
    CLAIMS[function.__name__.replace("_", "-")] = function
    return function


@dataclass
class Battery:
    """The units of a catalogue, their pages, and what was found in each text. `changed` holds sources
    that stand for those on disk, by module."""

    programs: Programs
    units: list[Pitfall]
    changed: tuple[tuple[str, str], ...] = ()
    codes: dict[str, Code] = field(default_factory=dict)
    found: dict[tuple[str, str], list[Finding]] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)

    def page(self, unit: Pitfall) -> Page:
        if unit.name not in self.pages:
            self.pages[unit.name] = page_of(unit)
        return self.pages[unit.name]

    def blocks(self, unit: Pitfall, *labels: str) -> list[Block]:
        return [block for label in labels for block in self.page(unit).programs(label)]

    def findings(self, text: str, unit: Pitfall) -> list[Finding]:
        """What the finders of a unit say of a text, sure or not."""
        if (text, unit.name) not in self.found:
            finders = [(unit, finder) for finder in unit.finders]
            self.found[text, unit.name] = self.look(text, finders)
        return self.found[text, unit.name]

    def everything(self, text: str) -> list[Finding]:
        """What those of all units say."""
        return [finding for unit in self.units for finding in self.findings(text, unit)]

    def look(self, text: str, finders: list[tuple[Pitfall, Finder]]) -> list[Finding]:
        if text not in self.codes:
            code = Project().read("program.py", text)
            assert isinstance(code, Code), f"{code.why}:\n{text}"
            self.codes[text] = code
        found, blind = check.look(self.codes[text], finders, suspicious=True)
        assert not blind, f"{blind[0].why}:\n{text}"
        return found

    def program(self, block: Block, proof: str = "", text: str = "") -> Program:
        """That of a block, or another text that is to be run as it is."""
        several = RANKS.search(block.note) if block.label != "Message" else None
        ranks, machines = (int(n or 1) for n in several.groups()) if several else (1, 1)
        message = block.label == "Message"
        return Program(text or block.text, proof, message, self.changed, ranks, machines)

    def bad(self, unit: Pitfall, bad: Block) -> Program:
        return self.program(bad, self.page(unit).proof_of(bad))

    def run_bad(self, unit: Pitfall, bad: Block) -> Outcome:
        return self.outcome(unit, self.bad(unit, bad))

    def outcome(self, unit: Pitfall, program: Program) -> Outcome:
        if lacking := lacks(unit):
            raise Excused(f"needs {lacking}")
        outcome = self.programs.outcome(on_card(unit, program))
        assert not outcome.died, f"the program {outcome.died}:\n{program.text}"
        return outcome

    def start(self, unit: Pitfall) -> None:
        """Sets all programs of a unit going, so that they run while others are looked at."""
        for bad in self.blocks(unit, "Bad") if not lacks(unit) else ():
            self.programs.start(on_card(unit, self.bad(unit, bad)))
        for good in self.blocks(unit, "Good", "Fine") if not lacks(unit) else ():
            self.programs.start(on_card(unit, self.program(good)))
        for message in self.blocks(unit, "Message"):
            self.programs.start(self.program(message))


def on_card(unit: Pitfall, program: Program) -> Program:
    """Other units say what happens where there is none."""
    return replace(program, card=unit.needs == "cuda")


@cache
def lacks(unit: Pitfall) -> str:
    """What the unit's programs need and is not here. Libraries and a card are looked for; of anything else
    it is taken for granted that no test machine has it."""
    kind, _, libraries = unit.needs.partition("import ")
    if kind == "cuda":
        import torch

        return "" if torch.cuda.is_available() else kind
    if not libraries:
        return kind
    return ", ".join(name for name in libraries.split(", ") if find_spec(name) is None)


def battery(programs: Programs) -> Battery:
    return Battery(programs, list(pitfalls.every()))


def where(block: Block) -> str:
    return f"{block.label}{f' ({block.note})' if block.note else ''}"


def lines_of(findings: list[Finding], sure: bool = True) -> list[int]:
    return sorted({f.hit.where.line for f in findings if f.hit.where and f.hit.sure is sure})


def compiles(text: str) -> bool:
    try:
        compile(text, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


# The page


@claim
def has_a_page(battery: Battery, unit: Pitfall) -> None:
    page = battery.page(unit)
    assert re.fullmatch(r"[A-Z`][^.!?]*(?:\.\w[^.!?]*)*\.", page.title), (
        f"the title is not one sentence with a full stop: {page.title}"
    )
    assert page.why.rstrip().endswith((".", ")")), "the why does not end as a sentence does"
    assert page.cure, "no cure"
    shown = {block.label for block in page.blocks}
    assert shown >= {"Bad", "Good"} or shown >= {"Machine", "Sound"}, (
        "neither Bad and Good programs nor a Machine and a Sound one"
    )
    for block in battery.blocks(unit, "Bad", "Good", "Fine"):
        assert compiles(block.text), f"{where(block)} does not compile"
    for block in battery.blocks(unit, "Good", "Fine"):
        assert not block.marks("here") + block.marks("seen"), f"{where(block)} carries a mark"


@claim
def is_small(battery: Battery, unit: Pitfall) -> None:
    source = source_of(battery, unit)
    page = ast.parse(source).body[0]
    lines = len(source.splitlines()) - (page.end_lineno or 0)
    assert lines <= LONGEST_UNIT, f"{lines} lines below the page; {LONGEST_UNIT} are enough"


@claim
def has_facets(battery: Battery, unit: Pitfall) -> None:
    assert unit.surfaces, "no facet"
    marked = any(block.marks() for block in battery.blocks(unit, "Bad"))
    assert marked == bool(unit.finders), (
        "a finder, but no Bad carries `# here: reason`"
        if unit.finders
        else "`# here` marks what a finder finds, and there is none; what a run or an error shows is "
        "marked `# seen`"
    )


@claim
def imports_little(battery: Battery, unit: Pitfall) -> None:
    vocabulary = (
        "model",
        "mapping",
        "source",
        "moments",
        "failures",
        "stored",
        "machine",
        "ranks",
        "data",
    )
    allowed = tuple(f"keng.{room}" for room in vocabulary)
    for node in ast.walk(ast.parse(source_of(battery, unit))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.split(".")[0] not in ("torch", "numpy"), f"imports {name}"
            assert not name.startswith("keng") or name.startswith(allowed), f"imports {name}"


@claim
def translation_is_fresh(battery: Battery, unit: Pitfall) -> None:
    there = translation(unit.group, unit.name, "zh")
    if there is None:
        raise Excused("no translation")
    digest = battery.page(unit).digest
    assert there.digest == digest, (
        f"the Chinese page is stale; its first line: <!-- of {digest} -->"
    )


@claim
def speaks_as_the_house_does(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.blocks(unit, "Bad"):
        found = battery.findings(bad.text, unit)
        hits = [f.hit.says for f in found] + said(battery, unit, bad)
        for text in [*hits, *(fix.title for fix in fixes_in(found))]:
            assert text, "a hit without words"
            assert not text.endswith("."), f"a full stop at the end: {text}"
            assert "you should" not in text.lower(), text
        for text in hits:
            named = re.match(
                r"[`'\"\d]|[A-Z_]{3,}\b", text
            )  # CUDA, or a variable of the environment
            assert text[0].islower() or named, f"does not begin in lower case: {text}"


def said(battery: Battery, unit: Pitfall, bad: Block) -> list[str]:
    """What the run says of a Bad, or the two explanations of the error that it raises."""
    outcome = battery.run_bad(unit, bad) if not lacks(unit) else Outcome()
    named = outcome.found
    if outcome.raised and not RANKS.search(bad.note):
        named = (*outcome.by_text, *outcome.alive)
    return [each.says for each in named if each.pitfall == unit.name]


@claim
def words_are_as_quoted(battery: Battery, unit: Pitfall) -> None:
    """What a mark's reason, or the note of a message, has in backticks stands in what is said."""
    for bad in battery.blocks(unit, "Bad"):
        spoken = [f.hit.says for f in battery.findings(bad.text, unit)]
        for line in bad.text.splitlines() if not lacks(unit) else ():
            reason = MARK.split(line)[-1] if MARK.search(line) else ""
            assert_quoted(reason, spoken + said(battery, unit, bad))
    for message in battery.blocks(unit, "Message"):
        outcome = battery.programs.outcome(battery.program(message))
        assert_quoted(message.note, [each.says for each in outcome.by_text[:1]])


def assert_quoted(reason: str, spoken: list[str]) -> None:
    """Where the words themselves quote a name, the reason does without those backticks."""
    for words in re.findall(r"`([^`]+)`", reason):
        assert any(words in text.replace("`", "") for text in spoken), (
            f"`{words}` is not said: {spoken}"
        )


@claim
def explainers_find_words(battery: Battery, unit: Pitfall) -> None:
    """One that raises is spoken for by the title of its page."""
    for bad in battery.blocks(unit, "Bad"):
        for text in said(battery, unit, bad) if all(e.function for e in unit.explainers) else ():
            assert text != battery.page(unit).headline, (
                f"an explainer says no more than the title:\n{bad.text}"
            )


def fixes_in(findings: list[Finding]) -> list[Fix]:
    return [f.hit.fix for f in findings if f.hit.fix and check.applicable(f, unsafe=True)]


def source_of(battery: Battery, unit: Pitfall) -> str:
    changed = dict(battery.changed)
    return changed.get(unit.module) or Path(pitfalls.names()[unit.name]).read_text("utf-8")
