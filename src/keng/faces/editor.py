"""What an editor is told: diagnostics, fixes, pages. The protocol itself is pygls's."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec, ServerTextPosition, TextDocument

from keng import __version__, catalog, check
from keng.choice import Wrong
from keng.model import Finding, Severity, Span
from keng.page import page_of
from keng.report import markdown
from keng.report.frames import lines_of
from keng.report.places import Region, region_of
from keng.report.words import Words

PAUSE = 0.2
"""Seconds after the last key before a text is looked at."""
SEVERITIES: dict[Severity, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "hint": lsp.DiagnosticSeverity.Hint,
}
FIX_ALL = "source.fixAll.keng"
QUICK_FIX = lsp.CodeActionKind.QuickFix


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as it was last looked at."""

    document: TextDocument
    text: str
    version: int | None
    result: check.Result

    @property
    def codec(self) -> PositionCodec:
        return self.document.position_codec

    def range(self, where: Span | Region) -> lsp.Range:
        """Lines and columns from 1, in characters, as the editor counts them."""
        lines = lines_of(self.text)
        start, end = (
            self.codec.position_to_client_units(lines, ServerTextPosition(line - 1, column - 1))
            for line, column in _ends(where)
        )
        return lsp.Range(start, end)

    def change(self, edits: list[lsp.TextEdit]) -> lsp.WorkspaceEdit:
        return lsp.WorkspaceEdit(changes={self.document.uri: edits})

    def to(self, after: str) -> list[lsp.TextEdit]:
        """What makes this text another one, by whole lines."""
        before, then = (text.splitlines(keepends=True) for text in (self.text, after))
        matcher = difflib.SequenceMatcher(None, before, then, autojunk=False)
        return [
            lsp.TextEdit(
                lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0)), "".join(then[new:end])
            )
            for tag, first, last, new, end in matcher.get_opcodes()
            if tag != "equal"
        ]


class Editor:
    """Looks at texts as `keng check` would, with the configuration that lies above each file."""

    def __init__(self, lang: str, suspicious: bool = False) -> None:
        self._every = list(catalog.every())
        self._asked = check.Settings(suspicious=suspicious)
        self._words = Words(lang)
        self._lang = lang
        self._seen: dict[str, Seen] = {}

    def look(self, document: TextDocument) -> Seen:
        """Raises Wrong for a configuration that is wrong."""
        seen = self._seen.get(document.uri)
        if seen is None or seen.text != document.source:
            result = check.run(
                [document.path],
                self._every,
                texts={document.path: document.source},
                terms=self._terms,
            )
            seen = Seen(document, document.source, document.version, result)
            self._seen[document.uri] = seen
        return seen

    def forget(self, uri: str) -> None:
        self._seen.pop(uri, None)

    @property
    def _terms(self) -> check.Terms:
        configs = check.Configs(self._every, None)
        return check.Terms(rules=check.Rules(self._every, self._asked, configs))

    def diagnostics(self, document: TextDocument) -> list[lsp.Diagnostic]:
        seen = self.look(document)
        return [self._diagnostic(f, f.hit.where, seen) for f in seen.result.findings if f.hit.where]

    def _diagnostic(self, finding: Finding, where: Span, seen: Seen) -> lsp.Diagnostic:
        return lsp.Diagnostic(
            seen.range(where),
            finding.hit.says,
            severity=SEVERITIES[finding.severity],
            code=finding.pitfall,
            source="keng",
        )

    def hover(self, document: TextDocument, position: lsp.Position) -> lsp.Hover | None:
        """The page of what is found here."""
        seen = self.look(document)
        for finding in self._at(seen, lsp.Range(position, position)):
            unit = catalog.pitfall(finding.pitfall)
            text = markdown.page(unit, page_of(unit, self._lang), self._words, whole=False)
            assert finding.hit.where is not None, "only findings with a place are met here"
            return lsp.Hover(
                lsp.MarkupContent(lsp.MarkupKind.Markdown, text), seen.range(finding.hit.where)
            )
        return None

    def actions(
        self, document: TextDocument, place: lsp.Range, only: Sequence[str] | None
    ) -> list[lsp.CodeAction]:
        seen = self.look(document)
        every = [a for f in self._at(seen, place) for a in self._quick(seen, f)]
        return [
            action for action in (*every, *self._fix_all(seen)) if _asked_for(action.kind, only)
        ]

    def _at(self, seen: Seen, place: lsp.Range) -> Iterator[Finding]:
        for finding in seen.result.findings:
            if finding.hit.where is None:
                continue
            reach = seen.range(finding.hit.where)
            if _before(reach.start, place.end) and _before(place.start, reach.end):
                yield finding

    def _quick(self, seen: Seen, finding: Finding) -> Iterator[lsp.CodeAction]:
        assert finding.hit.where is not None, "only findings with a place are met here"
        about = [self._diagnostic(finding, finding.hit.where, seen)]
        fix = finding.hit.fix
        if fix is not None and check.applicable(finding, unsafe=True):
            edits = [
                lsp.TextEdit(seen.range(region_of(edit, seen.text)), edit.text)
                for edit in fix.edits
            ]
            yield lsp.CodeAction(
                fix.title,
                kind=QUICK_FIX,
                diagnostics=about,
                is_preferred=check.applicable(finding, unsafe=False),
                edit=seen.change(edits),
            )
        silenced = check.ignore(replace(seen.result, findings=(finding,)))
        for change in silenced.changes:
            title = self._words("silence", name=finding.pitfall)
            edit = seen.change(seen.to(change.after))
            yield lsp.CodeAction(title, kind=QUICK_FIX, diagnostics=about, edit=edit)

    def _fix_all(self, seen: Seen) -> Iterator[lsp.CodeAction]:
        """The safe fixes of the whole text."""
        if any(check.applicable(finding, unsafe=False) for finding in seen.result.findings):
            texts = {seen.document.path: seen.text}
            mended = check.mend([seen.document.path], self._every, texts=texts, terms=self._terms)
            for change in mended.changes:
                edit = seen.change(seen.to(change.after))
                yield lsp.CodeAction(self._words("fix_all"), kind=FIX_ALL, edit=edit)


def server(editor: Editor) -> LanguageServer:
    """The protocol's side: which request is answered by what."""
    served = LanguageServer("keng", __version__)
    waiting: dict[str, asyncio.TimerHandle] = {}

    def publish(uri: str) -> None:
        document = served.workspace.get_text_document(uri)
        try:
            found = editor.diagnostics(document)
        except Wrong as wrong:
            told = lsp.ShowMessageParams(lsp.MessageType.Error, f"keng: {wrong}")
            served.window_show_message(told)
            found = []
        about = lsp.PublishDiagnosticsParams(uri, found, document.version)
        served.text_document_publish_diagnostics(about)

    @served.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @served.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in waiting:
            waiting.pop(uri).cancel()
        waiting[uri] = asyncio.get_running_loop().call_later(PAUSE, publish, uri)

    @served.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        editor.forget(params.text_document.uri)  # the configuration may have changed
        publish(params.text_document.uri)

    @served.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in waiting:
            waiting.pop(uri).cancel()
        editor.forget(uri)
        served.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    @served.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = served.workspace.get_text_document(params.text_document.uri)
        return editor.hover(document, params.position)

    @served.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL])
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = served.workspace.get_text_document(params.text_document.uri)
        return editor.actions(document, params.range, params.context.only)

    return served


def _ends(where: Span | Region) -> tuple[tuple[int, int], tuple[int, int]]:
    start = (where.line, where.column or 1)
    if where.end_line is None or where.end_column is None:
        return start, (where.line, 1_000_000)
    return start, (where.end_line, where.end_column)


def _before(one: lsp.Position, other: lsp.Position) -> bool:
    return (one.line, one.character) <= (other.line, other.character)


def _asked_for(kind: str | lsp.CodeActionKind | None, only: Sequence[str] | None) -> bool:
    """Kinds are paths: whoever asks for `source` gets `source.fixAll.keng` too."""
    name = str(getattr(kind, "value", kind))
    wanted = [str(getattr(each, "value", each)) for each in only or ()]
    if not wanted:
        return True
    return any(name == each or name.startswith(f"{each}.") for each in wanted)
