"""Which request of an editor is answered by what. The protocol itself is pygls's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from keng._util.version import VERSION
from keng.editor.diagnostics import FIX_ALL, QUICK_FIX, Editor
from keng.editor.documents import opened
from keng.pitfalls.select import Wrong

PAUSE = 0.2
"""Seconds after the last key before a text is looked at."""
PAGE, EXPLAIN = "keng.page", "keng.explain"
"""Commands: the name of a pitfall -> its page, the text of an error -> its explanation."""
NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    [
        lsp.NotebookDocumentFilterWithNotebook(
            lsp.NotebookDocumentFilterNotebookType("jupyter-notebook")
        )
    ]
)
"""All of their cells, so that they are numbered as they stand."""


class Publisher:
    """Tells an editor what is found in its documents."""

    def __init__(self, editor: Editor, served: LanguageServer) -> None:
        self._editor, self._served = editor, served
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    def publish(self, uri: str) -> None:
        open_ = opened(uri, self._served.workspace)
        try:
            found = self._editor.diagnostics(open_)
        except Wrong as wrong:
            told = lsp.ShowMessageParams(lsp.MessageType.Error, f"keng: {wrong}")
            self._served.window_show_message(told)
            found = {document.uri: [] for document in open_.documents.values()}
        for document in open_.documents.values():
            self._tell(document.uri, found[document.uri], document.version)

    def soon(self, uri: str, gone: Iterable[str] = ()) -> None:
        """When no more keys come."""
        self._clear(gone)
        self._wait_no_more(uri)
        loop = asyncio.get_running_loop()
        self._waiting[uri] = loop.call_later(PAUSE, self.publish, uri)

    def anew(self, uri: str) -> None:
        self._editor.forget(uri)  # the configuration may have changed
        self.publish(uri)

    def end(self, uri: str, documents: Iterable[str]) -> None:
        self._wait_no_more(uri)
        self._editor.forget(uri)
        self._clear(documents)

    def _tell(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        about = lsp.PublishDiagnosticsParams(uri, found, version)
        self._served.text_document_publish_diagnostics(about)

    def _clear(self, documents: Iterable[str]) -> None:
        for uri in documents:
            self._tell(uri, [])

    def _wait_no_more(self, uri: str) -> None:
        if uri in self._waiting:
            self._waiting.pop(uri).cancel()


def server(editor: Editor, explain: Callable[[str], str]) -> LanguageServer:
    """`explain` makes Markdown of the text of an error."""
    served = LanguageServer("keng", VERSION, notebook_document_sync=NOTEBOOKS)
    publisher = Publisher(editor, served)
    _follow_files(served, publisher)
    _follow_notebooks(served, publisher)
    _answer(served, editor)
    _obey(served, editor, explain)
    return served


def _follow_files(served: LanguageServer, publisher: Publisher) -> None:
    @served.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def file_opened(params: lsp.DidOpenTextDocumentParams) -> None:
        publisher.publish(params.text_document.uri)

    @served.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def file_changed(params: lsp.DidChangeTextDocumentParams) -> None:
        publisher.soon(params.text_document.uri)

    @served.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def file_saved(params: lsp.DidSaveTextDocumentParams) -> None:
        publisher.anew(params.text_document.uri)

    @served.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def file_closed(params: lsp.DidCloseTextDocumentParams) -> None:
        publisher.end(params.text_document.uri, [params.text_document.uri])


def _follow_notebooks(served: LanguageServer, publisher: Publisher) -> None:
    @served.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
        publisher.publish(params.notebook_document.uri)

    @served.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    async def notebook_changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        gone = (cells.structure.did_close or ()) if cells and cells.structure else ()
        publisher.soon(params.notebook_document.uri, [cell.uri for cell in gone])

    @served.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_saved(params: lsp.DidSaveNotebookDocumentParams) -> None:
        publisher.anew(params.notebook_document.uri)

    @served.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: lsp.DidCloseNotebookDocumentParams) -> None:
        cells = [cell.uri for cell in params.cell_text_documents]
        publisher.end(params.notebook_document.uri, cells)


def _answer(served: LanguageServer, editor: Editor) -> None:
    @served.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        return editor.hover(opened(uri, served.workspace), uri, params.position)

    @served.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL])
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        open_ = opened(uri, served.workspace)
        return editor.actions(open_, uri, params.range, params.context.only)


def _obey(served: LanguageServer, editor: Editor, explain: Callable[[str], str]) -> None:
    """What an editor may set, and the commands that it may give: both answer with Markdown."""

    @served.feature(lsp.INITIALIZE)
    def begin(params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        if isinstance(options, dict) and isinstance(options.get("pages"), str):
            editor.pages = options["pages"]

    @served.command(PAGE)
    def page(name: str) -> str:
        return editor.page(name)

    @served.command(EXPLAIN)
    def explained(text: str) -> str:
        return explain(text)
