"""What an editor shows: diagnostics, fixes, pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from keng import check, pitfalls
from keng._util import addresses
from keng.editor.documents import Opened, Seen, seen
from keng.model import Finding, Severity, Span
from keng.pitfalls.page import page_of
from keng.pitfalls.texts import spoken
from keng.report import markdown
from keng.report.ranges import region_of
from keng.report.translation import finding_in
from keng.report.words import Words

SEVERITIES: dict[Severity, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "hint": lsp.DiagnosticSeverity.Hint,
}
FIX_ALL = "source.fixAll.keng"
QUICK_FIX = lsp.CodeActionKind.QuickFix


class Editor:
    """Checks texts as `keng check` does, with the configuration that is above each file.

    `pages` is the beginning of the address of a page, which the name of a pitfall completes. Findings have
    no link while it is empty."""

    def __init__(self, lang: str, suspicious: bool = False) -> None:
        self.pages = pages_at(addresses.documentation(), lang)
        self._every = list(pitfalls.every())
        self._asked = check.Settings(suspicious=suspicious)
        self._words = Words(lang)
        self._lang = lang
        self._seen: dict[str, Seen] = {}

    def look(self, open_: Opened) -> Seen:
        """Raises Wrong for a configuration that is wrong."""
        before = self._seen.get(open_.uri)
        if before is None or before.open.texts != open_.texts:
            texts = {open_.path: open_.text}
            result = check.run([open_.path], self._every, texts=texts, terms=self._terms)
            self._seen[open_.uri] = seen(open_, result)
        return self._seen[open_.uri]

    def forget(self, uri: str) -> None:
        self._seen.pop(uri, None)

    @property
    def _terms(self) -> check.Terms:
        configs = check.Configs(self._every, None)
        return check.Terms(rules=check.Rules(self._every, self._asked, configs))

    def diagnostics(self, open_: Opened) -> dict[str, list[lsp.Diagnostic]]:
        """Of each document that is open, a notebook's cells, by its address."""
        now = self.look(open_)
        return {
            document.uri: [self._diagnostic(f, where, now) for _, f, where in now.at(path)]
            for path, document in open_.documents.items()
        }

    def _diagnostic(self, finding: Finding, where: Span, now: Seen) -> lsp.Diagnostic:
        page = f"{self.pages}{finding.pitfall}" if self.pages else None
        return lsp.Diagnostic(
            now.range(where, where.path),
            finding_in(self._lang, finding).hit.says,
            severity=SEVERITIES[finding.severity],
            code=finding.pitfall,
            code_description=lsp.CodeDescription(page) if page else None,
            source="keng",
        )

    def page(self, name: str) -> str:
        """The page of a pitfall in Markdown. Raises KeyError."""
        pitfall = pitfalls.pitfall(name)
        return markdown.page(pitfall, page_of(pitfall, self._lang), self._words)

    def hover(self, open_: Opened, uri: str, position: lsp.Position) -> lsp.Hover | None:
        """The page of what is found here."""
        now = self.look(open_)
        for _, finding, where in _met(now, open_.path_of(uri), lsp.Range(position, position)):
            content = lsp.MarkupContent(lsp.MarkupKind.Markdown, self.page(finding.pitfall))
            return lsp.Hover(content, now.range(where, where.path))
        return None

    def actions(
        self, open_: Opened, uri: str, place: lsp.Range, only: Sequence[str] | None
    ) -> list[lsp.CodeAction]:
        now = self.look(open_)
        met = _met(now, open_.path_of(uri), place)
        every = [a for known, told, at in met for a in self._quick(now, known, told, at)]
        return [a for a in (*every, *self._fix_all(now)) if _asked_for(a.kind, only)]

    def _quick(
        self, now: Seen, known: Finding, told: Finding, where: Span
    ) -> Iterator[lsp.CodeAction]:
        about, fix = [self._diagnostic(told, where, now)], told.hit.fix
        if fix is not None and check.applicable(known, unsafe=True):
            text = now.open.texts[where.path]
            edits = [
                lsp.TextEdit(now.range(region_of(edit, text), where.path), edit.text)
                for edit in fix.edits
            ]
            yield lsp.CodeAction(
                spoken(fix.title, self._lang),
                kind=QUICK_FIX,
                diagnostics=about,
                is_preferred=check.applicable(known, unsafe=False),
                edit=now.change(where.path, edits),
            )
        for change in check.ignore(now.result._replace(findings=(known,))).changes:
            title = self._words("silence", name=known.pitfall)
            edit = now.to(change.after)
            yield lsp.CodeAction(title, kind=QUICK_FIX, diagnostics=about, edit=edit)

    def _fix_all(self, now: Seen) -> Iterator[lsp.CodeAction]:
        """The safe fixes of all that is open."""
        if any(check.applicable(finding, unsafe=False) for finding in now.result.findings):
            path, texts = now.open.path, {now.open.path: now.open.text}
            mended = check.mend([path], self._every, texts=texts, terms=self._terms)
            for change in mended.changes:
                edit = now.to(change.after)
                yield lsp.CodeAction(self._words("fix_all"), kind=FIX_ALL, edit=edit)


def pages_at(documentation: str, lang: str) -> str:
    """Where the pages of pitfalls are on the site."""
    folder = "zh/pitfalls/" if lang == "zh" else "pitfalls/"
    return f"{documentation}{folder}" if documentation else ""


def _met(now: Seen, path: str, place: lsp.Range) -> Iterator[tuple[Finding, Finding, Span]]:
    """What is told of a place in a document."""
    for known, told, where in now.at(path):
        reach = now.range(where, path)
        if _before(reach.start, place.end) and _before(place.start, reach.end):
            yield known, told, where


def _before(one: lsp.Position, other: lsp.Position) -> bool:
    return (one.line, one.character) <= (other.line, other.character)


def _asked_for(kind: str | lsp.CodeActionKind | None, only: Sequence[str] | None) -> bool:
    """Kinds are paths: whoever asks for `source` gets `source.fixAll.keng` too."""
    name = str(getattr(kind, "value", kind))
    wanted = [str(getattr(each, "value", each)) for each in only or ()]
    if not wanted:
        return True
    return any(name == each or name.startswith(f"{each}.") for each in wanted)
