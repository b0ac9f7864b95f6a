"""`keng lsp` as an editor meets it: a real client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from keng import catalog, check
from keng.faces.cli import main

MOVED = "import torch\n\nx = torch.ones(3)\ns = '😀'; x.cuda()\nprint(x)\n"
CLEARED = MOVED.replace("x.cuda()", "x = x.cuda()")


class Session:
    """An editor with one open file."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.uri = (folder / "train.py").as_uri()
        self.told: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: list[str] = []

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(params: lsp.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(params)

        @client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams) -> None:
            self.shown.append(params.message)

    async def start(self, *options: str) -> None:
        await self.client.start_io(sys.executable, "-m", "keng", "lsp", *options)
        root = self.folder.as_uri()
        about = lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=root)
        await self.client.initialize_async(about)
        self.client.initialized(lsp.InitializedParams())

    async def open(self, text: str) -> list[lsp.Diagnostic]:
        item = lsp.TextDocumentItem(self.uri, "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    async def type(self, text: str, version: int) -> None:
        document = lsp.VersionedTextDocumentIdentifier(version, self.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        return list((await asyncio.wait_for(self.told.get(), 60)).diagnostics)

    async def actions(self, at: lsp.Range, *only: str) -> list[lsp.CodeAction]:
        context = lsp.CodeActionContext([], only=list(only) or None)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(self.uri), at, context)
        return list(await self.client.text_document_code_action_async(params) or [])  # type: ignore[arg-type]

    async def hover(self, at: lsp.Position) -> str:
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri), at)
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found else ""  # type: ignore[union-attr]


def edited(text: str, action: lsp.CodeAction) -> str:
    """The text after an action, as an editor that counts in UTF-16 makes it."""
    assert action.edit is not None
    assert action.edit.changes is not None
    (edits,) = action.edit.changes.values()
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character))[::-1]:
        start, end = (_offset(text, place) for place in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def _offset(text: str, place: lsp.Position) -> int:
    lines = text.split("\n")
    units = lines[place.line].encode("utf-16-le")[: 2 * place.character]
    return sum(len(line) + 1 for line in lines[: place.line]) + len(units.decode("utf-16-le"))


Story = Callable[[Session], Awaitable[None]]


def play(folder: Path, story: Story, *options: str) -> Session:
    session = Session(LanguageClient("test", "1"), folder)

    async def whole() -> None:
        await session.start(*options)
        try:
            await story(session)
        finally:
            await session.client.shutdown_async(None)
            session.client.exit(None)
            await session.client.stop()

    asyncio.run(whole())
    return session


def test_what_is_found_is_told_and_mended_as_one_types(tmp_path: Path) -> None:
    async def story(session: Session) -> None:
        (found,) = await session.open(MOVED)
        assert (found.code, found.source) == ("tensor-move-discarded", "keng")
        assert found.severity is lsp.DiagnosticSeverity.Error
        # The smiley is two units of UTF-16.
        assert (found.range.start.line, found.range.start.character) == (3, 10)
        fix, silence = await session.actions(found.range)
        assert edited(MOVED, fix) == CLEARED
        assert edited(MOVED, silence).count("# keng: ignore[tensor-move-discarded]\n") == 1
        assert "tensor" in await session.hover(found.range.start)
        assert not await session.hover(lsp.Position(0, 0))
        await session.type(MOVED.replace("x.cuda()", "x.cu"), 2)
        await session.type(CLEARED, 3)
        assert await session.diagnostics() == []

    play(tmp_path, story)


SAFE = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(8, 3)


class Head(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)
"""


def test_all_safe_fixes_are_one_action(tmp_path: Path) -> None:
    every = list(catalog.every())
    (change,) = check.mend(["train.py"], every, texts={"train.py": SAFE}).changes

    async def story(session: Session) -> None:
        await session.open(SAFE)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
        (action,) = await session.actions(whole, "source.fixAll")
        assert edited(SAFE, action) == change.after

    play(tmp_path, story)


def test_pages_come_in_chinese(tmp_path: Path) -> None:
    async def story(session: Session) -> None:
        (found,) = await session.open(MOVED)
        assert "张量" in await session.hover(found.range.start)

    play(tmp_path, story, "--lang", "zh")


def test_the_configuration_above_a_file_holds(tmp_path: Path) -> None:
    config = tmp_path / "keng.toml"
    config.write_text('ignore = ["device"]\n')

    async def story(session: Session) -> None:
        assert await session.open(MOVED) == []
        config.write_text("nonsense = 1\n")
        params = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(session.uri))
        session.client.text_document_did_save(params)
        assert await session.diagnostics() == []

    session = play(tmp_path, story)
    assert ["no key `nonsense`" in line for line in session.shown] == [True]


def test_a_text_that_is_no_program_is_borne(tmp_path: Path) -> None:
    async def story(session: Session) -> None:
        assert await session.open("import torch\ndef f(:\n") == []

    play(tmp_path, story)


def test_pygls_is_asked_for_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("keng.faces.lsp.find_spec", lambda name: None)
    assert main(["lsp"]) == 2
    assert "pip install 'keng[lsp]'" in capsys.readouterr().err
