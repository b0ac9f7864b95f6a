"""What is open in an editor: a file, or a notebook, each of whose cells is a document of its own there."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pygls.workspace import ServerTextPosition, TextDocument, Workspace

from keng import check
from keng.model import Finding, Span
from keng.report.frames import lines_of
from keng.report.ranges import Region


class Opened(NamedTuple):
    """A program as it is open. `text` is what a file would hold; `documents` are those of the editor and
    `texts` what is in them, by the path under which findings tell them."""

    uri: str
    path: str
    version: int | None
    text: str
    documents: Mapping[str, TextDocument]
    texts: Mapping[str, str]

    def path_of(self, uri: str) -> str:
        return next(path for path, document in self.documents.items() if document.uri == uri)


def opened(uri: str, workspace: Workspace) -> Opened:
    """What is open under an address, which may be that of a cell."""
    notebook = workspace.get_notebook_document(notebook_uri=uri)
    notebook = notebook or workspace.get_notebook_document(cell_uri=uri)
    if notebook is not None:
        return _notebook(notebook, workspace)
    document = workspace.get_text_document(uri)
    documents, texts = {document.path: document}, {document.path: document.source}
    return Opened(uri, document.path, document.version, document.source, documents, texts)


def _notebook(notebook: lsp.NotebookDocument, workspace: Workspace) -> Opened:
    cells = [(cell, workspace.get_text_document(cell.document)) for cell in notebook.cells]
    told = [
        {"cell_type": "code" if _is_python(cell, document) else "raw", "source": document.source}
        for cell, document in cells
    ]
    path = to_fs_path(notebook.uri) or "untitled.ipynb"
    documents = {f"{path}:cell {n}": document for n, (_, document) in enumerate(cells, start=1)}
    texts = {path: document.source for path, document in documents.items()}
    text = json.dumps({"cells": told})
    return Opened(notebook.uri, path, notebook.version, text, documents, texts)


def _is_python(cell: lsp.NotebookCell, document: TextDocument) -> bool:
    return cell.kind == lsp.NotebookCellKind.Code and document.language_id in ("python", None)


class Seen(NamedTuple):
    """What is open as it was last looked at. `found` has each finding twice: as it is known, and as it is
    told, by the cell that it is in."""

    open: Opened
    result: check.Result
    found: tuple[tuple[Finding, Finding], ...]

    def at(self, path: str) -> Iterator[tuple[Finding, Finding, Span]]:
        """What is told of a document, and where."""
        for known, told in self.found:
            if told.hit.where is not None and told.hit.where.path == path:
                yield known, told, told.hit.where

    def range(self, where: Span | Region, path: str) -> lsp.Range:
        """Lines and columns from 1, in characters, as the editor counts them."""
        codec, lines = self.open.documents[path].position_codec, lines_of(self.open.texts[path])
        start, end = (
            codec.position_to_client_units(lines, ServerTextPosition(line - 1, column - 1))
            for line, column in _ends(where)
        )
        return lsp.Range(start, end)

    def change(self, path: str, edits: list[lsp.TextEdit]) -> lsp.WorkspaceEdit:
        return lsp.WorkspaceEdit(changes={self.open.documents[path].uri: edits})

    def to(self, after: str) -> lsp.WorkspaceEdit:
        """What makes what is open another text, by whole lines."""
        texts = [after]
        if self.open.path not in self.open.documents:
            texts = ["".join(cell["source"]) for cell in json.loads(after)["cells"]]
        changes = {
            document.uri: edits
            for (path, document), text in zip(self.open.documents.items(), texts, strict=True)
            if (edits := list(_edits(self.open.texts[path], text)))
        }
        return lsp.WorkspaceEdit(changes=changes)


def seen(open_: Opened, result: check.Result) -> Seen:
    told = check.placed(result.findings, result.sources, cells=True)
    return Seen(open_, result, tuple(zip(result.findings, told, strict=True)))


def _edits(before: str, after: str) -> Iterator[lsp.TextEdit]:
    lines, then = (text.splitlines(keepends=True) for text in (before, after))
    matcher = difflib.SequenceMatcher(None, lines, then, autojunk=False)
    for tag, first, last, new, end in matcher.get_opcodes():
        if tag != "equal":
            place = lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0))
            yield lsp.TextEdit(place, "".join(then[new:end]))


def _ends(where: Span | Region) -> tuple[tuple[int, int], tuple[int, int]]:
    start = (where.line, where.column or 1)
    if where.end_line is None or where.end_column is None:
        return start, (where.line, 1_000_000)
    return start, (where.end_line, where.end_column)
