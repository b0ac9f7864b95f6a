"""`keng lsp`: findings as one types, in any editor that speaks the Language Server Protocol."""

from __future__ import annotations

from importlib.util import find_spec

from keng.cli.commands import Usage
from keng.cli.options import Parser, add_suspicious


def parser() -> Parser:
    parser = Parser("lsp", "Serve an editor over standard input and output.")
    add_suspicious(parser)
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if find_spec("pygls") is None:
        raise Usage("lsp: pygls is not installed: pip install 'keng[lsp]'")
    from keng.editor.diagnostics import Editor
    from keng.editor.server import server

    server(Editor(options.lang, options.suspicious)).start_io()
    return 0
