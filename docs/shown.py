"""What keng prints, on pages: generated at each build from the programs of examples/."""

from __future__ import annotations

import re
from pathlib import Path

import answer

from keng import pitfalls

HOME = Path(__file__).parent.parent
SHOWN = 2
"""Findings that a page shows of a program."""
CHECK = re.compile(r"<!-- check: (\S+) -->")
EXPLAIN = re.compile(r"<!-- explain: (\S+) -->")


def filled(markdown: str, lang: str) -> str:
    """Puts what `keng check FILE` prints for `<!-- check: FILE -->`, what `keng explain FILE` prints for
    `<!-- explain: FILE -->`, and the number of pitfalls for `<!-- count -->`."""
    markdown = markdown.replace("<!-- count -->", str(len(pitfalls.names())))
    markdown = CHECK.sub(lambda found: _checked(found[1], lang), markdown)
    return EXPLAIN.sub(lambda found: _explained(found[1], lang), markdown)


def _checked(path: str, lang: str) -> str:
    """The first findings and the summary."""
    code = (HOME / path).read_text("utf-8")
    *found, summary = answer.checked(code, lang, "pitfalls/", path).split("\n\n")
    shown = [*found[:SHOWN], *["..."][: len(found) - SHOWN], summary]
    return _screen(f"keng check {path}", "\n\n".join(shown))


def _explained(path: str, lang: str) -> str:
    text = (HOME / path).read_text("utf-8")
    return _screen("python train.py 2>&1 | keng explain", answer.explained(text, lang, "pitfalls/"))


def _screen(command: str, html: str) -> str:
    # Markdown reads the insides of a raw block no further only if no line of it is empty.
    kept = html.replace("\n\n", "\n&#8203;\n").replace("`", "&#96;")
    return f'<pre class="keng-screen"><span class="keng-dim">$ {command}</span>\n{kept}</pre>'
