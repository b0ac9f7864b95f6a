"""`keng lsp`: findings as one types, in any editor that speaks the Language Server Protocol."""

from __future__ import annotations

from importlib.util import find_spec

from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.options import Parser, add_suspicious
from keng.report.screen import Screen, plainly
from keng.report.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.editor.diagnostics import Editor


def parser() -> Parser:
    parser = Parser("lsp", "Serve an editor over standard input and output.")
    add_suspicious(parser)
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    if find_spec("pygls") is None:
        says = sentence("command_needs_package", package="pygls", spec="'keng[lsp]'")
        raise refused("lsp", says)
    from keng.editor.diagnostics import Editor
    from keng.editor.server import server

    editor = Editor(options.lang, options.suspicious)
    server(editor, lambda text: _explained(text, editor, options.lang)).start_io()
    return 0


def _explained(text: str, editor: Editor, lang: str) -> str:
    """Markdown: what `keng explain` prints, and the page of the likeliest cause."""
    from keng.cli.explain import screen_of
    from keng.explain.engine import explain_text

    explanation = explain_text(text)
    lines = screen_of(explanation, Screen(None, "never"), Words(lang))
    shown = "\n".join(plainly("".join(piece.text for piece in line)) for line in lines)
    screen = f"~~~text\n{shown}\n~~~\n"
    causes = explanation.diagnoses[:1]
    return "\n".join([screen, *(editor.page(each.pitfall) for each in causes)])
