"""What every unit of the catalogue claims on its page, and how each claim is put to the test.

A claim is a function of a battery and a unit that raises AssertionError, or Excused where this machine
cannot tell. Adding a unit adds nothing here.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from keng import catalog, check
from keng.model import Finder, Finding, Fix, Pitfall
from keng.page import MARK, Block, Page, page_of, translation
from keng.source import Code, Project
from programs import Named, Outcome, Program, Programs
from rewrites import REWRITES, Moved, Rewrite, same_tree

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
        if unit.needs:
            raise Excused(f"needs {unit.needs}")
        outcome = self.programs.outcome(program)
        assert not outcome.died, f"the program {outcome.died}:\n{program.text}"
        return outcome

    def start(self, unit: Pitfall) -> None:
        """Sets all programs of a unit going, so that they run while others are looked at."""
        for bad in self.blocks(unit, "Bad") if not unit.needs else ():
            self.programs.start(self.bad(unit, bad))
        for good in self.blocks(unit, "Good", "Fine") if not unit.needs else ():
            self.programs.start(self.program(good))
        for message in self.blocks(unit, "Message"):
            self.programs.start(self.program(message))


def battery(programs: Programs) -> Battery:
    return Battery(programs, list(catalog.every()))


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
            assert text[0].islower() or text[0] in "`'\"" or text[0].isdigit(), (
                f"does not begin in lower case: {text}"
            )


def said(battery: Battery, unit: Pitfall, bad: Block) -> list[str]:
    """What the run says of a Bad, or the two explanations of the error that it raises."""
    outcome = battery.run_bad(unit, bad) if not unit.needs else Outcome()
    named = outcome.found
    if outcome.raised and not RANKS.search(bad.note):
        named = (*outcome.by_text, *outcome.alive)
    return [each.says for each in named if each.pitfall == unit.name]


@claim
def words_are_as_quoted(battery: Battery, unit: Pitfall) -> None:
    """What a mark's reason, or the note of a message, has in backticks stands in what is said."""
    for bad in battery.blocks(unit, "Bad"):
        spoken = [f.hit.says for f in battery.findings(bad.text, unit)]
        for line in bad.text.splitlines() if not unit.needs else ():
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


# What is found in source


@claim
def bad_is_found(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.blocks(unit, "Bad"):
        assert_found(battery, unit, bad.text, bad.marks(), where(bad))


def assert_found(battery: Battery, unit: Pitfall, text: str, marks: list[int], what: str) -> None:
    """Sure hits stand exactly at the marks."""
    found = battery.findings(text, unit)
    for line in sorted(set(marks) - set(lines_of(found))):
        quieter = " (only as not sure)" if line in lines_of(found, sure=False) else ""
        raise AssertionError(f"{what} was not found at line {line}{quieter}:\n{text}")
    for line in lines_of(found) + lines_of(found, sure=False):
        assert line in marks, f"{what} was found at line {line}, which is not marked:\n{text}"


@claim
def innocent_are_left_alone(battery: Battery, unit: Pitfall) -> None:
    for other in battery.units:
        for block in battery.blocks(other, "Good", "Fine"):
            for finding in battery.findings(block.text, unit):
                line = finding.hit.where.line if finding.hit.where else "?"
                raise AssertionError(
                    f"{where(block)} of {other.name} is flagged at line {line}: "
                    f"{finding.hit.says}\n{block.text}"
                )


@claim
def every_finder_is_earned(battery: Battery, unit: Pitfall) -> None:
    for finder, hits in hits_by_finder(battery, unit):
        assert hits, f"no Bad shows what {finder} finds"


@claim
def fixes_are_as_promised(battery: Battery, unit: Pitfall) -> None:
    promises = {finder.function.__name__: finder.fixes for finder in unit.finders}
    for finder, hits in hits_by_finder(battery, unit):
        mends = bool(fixes_in(hits))
        assert mends == promises[finder], (
            f"{finder} {'gives a fix' if mends else 'gives no fix'}, "
            f"and says fixes={promises[finder]}"
        )


def hits_by_finder(battery: Battery, unit: Pitfall) -> Iterator[tuple[str, list[Finding]]]:
    for finder in unit.finders:
        bads = battery.blocks(unit, "Bad")
        found = [hit for bad in bads for hit in battery.look(bad.text, [(unit, finder)])]
        yield finder.function.__name__, found


def fixes_in(findings: list[Finding]) -> list[Fix]:
    return [f.hit.fix for f in findings if f.hit.fix and check.applicable(f, unsafe=True)]


# Fixes


@claim
def fixes_mend(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.blocks(unit, "Bad"):
        before = battery.findings(bad.text, unit)
        for fix in fixes_in(before):
            after = fix.applied_to(bad.text.encode()).decode()
            assert compiles(after), f"{where(bad)}: `{fix.title}` does not compile:\n{after}"
            left = battery.findings(after, unit)
            assert len(left) < len(before), f"{where(bad)} is found still after its fix:\n{after}"
            assert_nothing_new(battery, bad.text, after)
        assert_settled(battery, unit, bad.text, where(bad))


def assert_nothing_new(battery: Battery, before: str, after: str) -> None:
    new = Counter(f.pitfall for f in battery.everything(after))
    new.subtract(f.pitfall for f in battery.everything(before))
    assert not +new, f"the fix brings {', '.join(+new)}:\n{after}"


def mended(unit: Pitfall, text: str) -> str:
    """A text with all the fixes of one unit."""
    result = check.mend([], [unit], unsafe=True, suspicious=True, texts={"program.py": text})
    assert not result.result.blind, result.result.blind[0].why
    return result.changes[0].after if result.changes else text


def assert_settled(battery: Battery, unit: Pitfall, text: str, what: str) -> str:
    """All fixes together leave a program with nothing more to fix."""
    after = mended(unit, text)
    assert compiles(after), f"{what} does not compile when mended:\n{after}"
    assert mended(unit, after) == after, f"{what} is mended twice:\n{after}"
    assert not fixes_in(battery.findings(after, unit)), f"{what} has fixes still:\n{after}"
    return after


@claim
def mended_programs_run_clean(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.blocks(unit, "Bad"):
        found = battery.findings(bad.text, unit)
        if not found or len(fixes_in(found)) < len(found):
            continue
        after = mended(unit, bad.text)
        proof = battery.page(unit).proof_of(bad)
        outcome = battery.outcome(unit, battery.program(bad, proof, after))
        before = {each.pitfall for each in battery.run_bad(unit, bad).found} - {unit.name}
        assert not outcome.raised, f"{where(bad)}, mended, raises:\n{outcome.raised}\n{after}"
        for each in outcome.found:
            assert each.pitfall in before, (
                f"{where(bad)}, mended, is seen by {each.pitfall}: {each.says}\n{after}"
            )
        assert not proof or outcome.proof, f"{where(bad)}, mended, is still proved bad:\n{after}"


# The same programs, written otherwise


def moves(rewrite: Rewrite, name: str) -> Claim:
    def found_where_it_went(battery: Battery, unit: Pitfall) -> None:
        for bad in battery.blocks(unit, "Bad") if unit.finders else ():
            moved = rewrite(bad.text, bad.marks())
            if moved is None:
                continue
            what = f"{where(bad)} {name}"
            after = assert_moved(battery, unit, bad, moved, what)
            mended_first = rewrite(mended(unit, bad.text), []) if moved.same_tree else None
            assert mended_first is None or same_tree(mended_first.text, after), (
                f"{what} is mended otherwise than where it stood:\n{after}"
            )

    return found_where_it_went


def assert_moved(battery: Battery, unit: Pitfall, bad: Block, moved: Moved, what: str) -> str:
    """What was found is found where it went, and mended there; the text when mended."""
    assert_found(battery, unit, moved.text, [moved.line(line) for line in bad.marks()], what)
    now = places(battery.findings(moved.text, unit))
    for line, columns in places(battery.findings(bad.text, unit)).items():
        shift = moved.shift if line in moved.shifted else moved.indent
        there = now[moved.line(line)]
        assert shift is None or there == {column + shift for column in columns}, (
            f"{what}: columns {columns} became {there} at line {moved.line(line)}:\n{moved.text}"
        )
    return assert_settled(battery, unit, moved.text, what)


def places(findings: list[Finding]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for finding in findings:
        if finding.hit.where is not None:
            found.setdefault(finding.hit.where.line, set()).add(finding.hit.where.column or 0)
    return found


for _name, _rewrite in REWRITES.items():
    CLAIMS[f"found-{_name}"] = moves(_rewrite, _name)


# What happens when the programs are executed


@claim
def bad_misbehaves(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.blocks(unit, "Bad"):
        outcome = battery.run_bad(unit, bad)
        assert not outcome.blind, f"{where(bad)} blinds a watcher: {outcome.blind[0]}"
        proof = battery.page(unit).proof_of(bad)
        assert not proof or not outcome.proof, f"the proof of {where(bad)} fails:\n{outcome.proof}"
        seen = any(each.pitfall == unit.name for each in outcome.found)
        if outcome.raised and not (seen and RANKS.search(bad.note)):
            assert_explained(unit, outcome.by_text, f"{where(bad)} as text", outcome.raised)
            assert_explained(unit, outcome.alive, f"{where(bad)} alive", outcome.raised)
        else:
            assert seen or proof, (
                f"{where(bad)} raises nothing, no watcher sees it, nothing proves it:\n{bad.text}"
            )


def assert_explained(unit: Pitfall, named: tuple[Named, ...], what: str, text: str) -> None:
    first = named[0].pitfall if named else "not known"
    assert first == unit.name, f"{what} is explained as {first}:\n{text}"


@claim
def line_is_named(battery: Battery, unit: Pitfall) -> None:
    for bad in battery.blocks(unit, "Bad"):
        lines = bad.marks("seen") or bad.marks("here")
        outcome = battery.run_bad(unit, bad)
        named = [each for each in outcome.found if each.pitfall == unit.name]
        named += [*outcome.by_text[:1], *outcome.alive[:1]]
        for each in named if lines else ():
            assert each.line in lines, (
                f"{where(bad)} is seen at line {each.line}, not at {lines}: {each.says}\n{bad.text}"
            )


@claim
def innocent_run_clean(battery: Battery, unit: Pitfall) -> None:
    for block in battery.blocks(unit, "Good", "Fine"):
        outcome = battery.outcome(unit, battery.program(block))
        assert not outcome.raised, f"{where(block)} raises:\n{outcome.raised}"
        assert not outcome.blind, f"{where(block)} blinds a watcher: {outcome.blind[0]}"
        for each in outcome.found:
            raise AssertionError(
                f"{where(block)} is seen by {each.pitfall} at line {each.line}: {each.says}\n"
                f"{block.text}"
            )


@claim
def good_is_up_to_date(battery: Battery, unit: Pitfall) -> None:
    for good in battery.blocks(unit, "Good"):
        outcome = battery.outcome(unit, battery.program(good))
        assert not outcome.warned, f"Good uses what is going away: {outcome.warned[0]}"


@claim
def every_watcher_is_earned(battery: Battery, unit: Pitfall) -> None:
    fired = {
        name for bad in battery.blocks(unit, "Bad") for name in battery.run_bad(unit, bad).fired
    }
    for watcher in unit.watchers:
        name = watcher.function.__name__
        if not watcher.needs:
            assert f"{unit.module}.{name}" in fired, f"no Bad shows what {name} sees"
    if lacking := [f"{w.function.__name__} needs {w.needs}" for w in unit.watchers if w.needs]:
        raise Excused(", ".join(lacking))


@claim
def every_comparer_is_earned(battery: Battery, unit: Pitfall) -> None:
    several = [bad for bad in battery.blocks(unit, "Bad") if RANKS.search(bad.note)]
    fired = {name for bad in several if not unit.needs for name in battery.run_bad(unit, bad).fired}
    for comparer in unit.comparers if not unit.needs else ():
        name = comparer.__name__
        assert f"{unit.module}.{name}" in fired, f"no Bad of several ranks shows what {name} sees"


@claim
def messages_are_explained(battery: Battery, unit: Pitfall) -> None:
    for message in battery.blocks(unit, "Message"):
        outcome = battery.programs.outcome(battery.program(message))
        assert not outcome.died, outcome.died
        assert_explained(unit, outcome.by_text, where(message), message.text)


@claim
def every_pattern_is_earned(battery: Battery, unit: Pitfall) -> None:
    texts = [message.text for message in battery.blocks(unit, "Message")]
    if not unit.needs:
        texts += [battery.run_bad(unit, bad).raised for bad in battery.blocks(unit, "Bad")]
    for explainer in unit.explainers:
        assert any(explainer.pattern.search(text) for text in texts), (
            f"no Bad and no Message earns {explainer.pattern.pattern!r}"
        )


def source_of(battery: Battery, unit: Pitfall) -> str:
    changed = dict(battery.changed)
    return changed.get(unit.module) or Path(catalog.names()[unit.name]).read_text("utf-8")
