"""Makes fixes in texts, over and over until nothing is left to mend."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from keng._util.texts import sentence
from keng.check.engine import Result, Terms, run
from keng.model import Finding, Fix, Pitfall, Skipped
from keng.source import Code

ROUNDS = 20
"""A fix may uncover another; fixes that still undo each other after so many rounds never end."""


class Change(NamedTuple):
    """A file before and after its fixes; `encoding` is what it is to be written in."""

    path: str
    before: str
    after: str
    encoding: str


class Mended(NamedTuple):
    """`result` is what is still found afterwards; `fixed` the findings whose fixes were made."""

    result: Result
    changes: tuple[Change, ...]
    fixed: tuple[Finding, ...]


def applicable(finding: Finding, unsafe: bool) -> bool:
    """Whether a fix may be made: one that is unsafe, or whose finding is not sure, only if asked."""
    fix = finding.hit.fix
    if fix is None or not fix.edits or fix.safety == "shown":
        return False
    return unsafe or (fix.safety == "safe" and finding.hit.sure)


def mend(
    paths: Iterable[str],
    pitfalls: Iterable[Pitfall],
    *,
    unsafe: bool = False,
    suspicious: bool = False,
    texts: Mapping[str, str] | None = None,
    terms: Terms | None = None,
) -> Mended:
    """Makes fixes without writing anything. Raises Wrong as `run` does."""
    look = partial(run, list(paths), list(pitfalls), suspicious=suspicious, terms=terms)
    work = _Work(dict(texts or {}))
    for _ in range(ROUNDS):
        result = look(texts=work.now)
        if not work.fix(result, unsafe):
            break
    else:
        result = look(texts=work.now)
        work.refuse(", ".join(work.before), "", f"fixes did not settle in {ROUNDS} rounds")
    skipped = (*result.skipped, *work.refused.values())
    result = result._replace(skipped=skipped)
    return Mended(result, tuple(work.changes()), tuple(work.fixed))


class _Work:
    """What has been mended so far: texts by path, as they were and as they are now."""

    def __init__(self, now: dict[str, str]) -> None:
        self.now = now
        self.before: dict[str, Code] = {}
        self.fixed: list[Finding] = []
        self.refused: dict[tuple[str, str], Skipped] = {}

    def fix(self, result: Result, unsafe: bool) -> bool:
        """One round; whether anything came of it."""
        before = len(self.fixed), len(self.refused)
        for path, code in result.codes.items():
            wanted = [
                finding
                for finding in result.findings
                if _path(finding) == path
                and applicable(finding, unsafe)
                and (path, finding.pitfall) not in self.refused
            ]
            self._fix_file(_compatible(wanted), code)
        return (len(self.fixed), len(self.refused)) != before

    def _fix_file(self, chosen: list[Finding], code: Code) -> None:
        made, text = _made(chosen, code)
        for finding in chosen:
            if finding not in made:
                why = sentence("fix_breaks_file", pitfall=finding.pitfall)
                self.refuse(code.path, finding.pitfall, why)
        if not made:
            return
        try:
            document = code.source.put_back(text)
        except ValueError as error:
            self.refuse(code.path, made[0].pitfall, error.args[0])
            return
        self.before.setdefault(code.path, code)
        self.now[code.path] = document
        self.fixed += made

    def refuse(self, path: str, pitfall: str, why: str) -> None:
        self.refused[path, pitfall] = Skipped(path, why)

    def changes(self) -> Iterator[Change]:
        for path, code in self.before.items():
            if code.source.document != self.now[path]:
                yield Change(path, code.source.document, self.now[path], code.tree.encoding)


def _path(finding: Finding) -> str:
    return finding.hit.where.path if finding.hit.where else ""


def _compatible(findings: Iterable[Finding]) -> list[Finding]:
    """Findings whose fixes do not reach into each other; the others have their turn a round later."""
    chosen: list[Finding] = []
    end = -1
    for finding in sorted(findings, key=_reach):
        first, last = _reach(finding)
        if first > end:
            chosen.append(finding)
            end = last
    return chosen


def _reach(finding: Finding) -> tuple[int, int]:
    edits = finding.hit.fix.edits if finding.hit.fix else ()
    return min(edit.start for edit in edits), max(edit.end for edit in edits)


def _made(findings: list[Finding], code: Code) -> tuple[list[Finding], str]:
    """The fixes that leave a program, all together or one by one, and the text with them."""
    text = _with(findings, code)
    if not _broken(text, code):
        return findings, text
    made: list[Finding] = []
    for finding in findings:
        if not _broken(_with([*made, finding], code), code):
            made.append(finding)
    return made, _with(made, code)


def _with(findings: Iterable[Finding], code: Code) -> str:
    edits = [edit for finding in findings if finding.hit.fix for edit in finding.hit.fix.edits]
    return Fix("", tuple(edits)).applied_to(code.tree.data).decode("utf-8", "replace")


def _broken(text: str, code: Code) -> bool:
    """Whether a text is worse than it was: no program any more, or the same as before."""
    return text == code.text or (
        not _compiles(text, code.tree.encoding) and _compiles(code.text, code.tree.encoding)
    )


def _compiles(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
