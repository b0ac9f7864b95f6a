"""What `keng explain` and `keng check` print, as HTML: for the page with a box, and for the home page."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from html import escape

from keng import check, pitfalls
from keng.cli.explain import screen_of
from keng.cli.files import reader
from keng.cli.pits import found
from keng.explain.engine import explain_text
from keng.pitfalls.page import page_of
from keng.report import findings
from keng.report.screen import Line, Piece, Screen, plainly
from keng.report.translation import findings_in, skipped_in
from keng.report.words import Words

WIDTH = 92
MOST_MATCHES = 8
COMMAND = "keng explain "


def explained(text: str, lang: str = "en", pages: str = "../pitfalls/") -> str:
    """The first screen of an error; for other words the pitfalls that match them. `pages` is where the pages
    of pitfalls are, seen from the page that shows this."""
    explanation = explain_text(text)
    if not explanation.error and not explanation.place:
        names = found(text, explanation.diagnoses)[:MOST_MATCHES]
        if names:
            return _html((_match(name, lang) for name in names), pages)
    return _html(screen_of(explanation, _screen(), Words(lang)), pages)


def checked(code: str, lang: str = "en", pages: str = "../pitfalls/", path: str = "") -> str:
    """The findings in a program or notebook."""
    path = path or ("pasted.ipynb" if _is_notebook(code) else "pasted.py")
    every, words = list(pitfalls.having("check")), Words(lang)
    rules = check.Rules(every, check.Settings(), check.Configs(every, None))
    terms = check.Terms(rules=rules, remember=False)
    result = check.run([path], every, texts={path: code}, terms=terms)
    read = reader(check.texts(result.sources))
    placed = check.placed(result.findings, result.sources, cells=True)
    lines: list[Line] = []
    for finding in findings_in(lang, placed):
        lines += [*findings.full(finding, read, words, WIDTH), []]
    lines += [findings.skipped_line(each, words) for each in skipped_in(lang, result.skipped)]
    if not result.skipped:
        lines += findings.summary(result.findings, result.files, words)
    return _html(lines, pages)


def _is_notebook(code: str) -> bool:
    if not code.lstrip().startswith("{"):
        return False
    try:
        return "cells" in json.loads(code)
    except (ValueError, RecursionError):
        return False


def _screen() -> Screen:
    os.environ["COLUMNS"] = str(WIDTH)
    return Screen(None, "never")


def _match(name: str, lang: str) -> Line:
    title = page_of(pitfalls.pitfall(name), lang).title
    return [Piece(name, "name"), Piece(f"  {title}")]


def _html(lines: Iterable[Line], pages: str) -> str:
    return "\n".join("".join(_piece(piece, pages) for piece in line) for line in lines)


def _piece(piece: Piece, pages: str) -> str:
    text = escape(plainly(piece.text))
    name = piece.text.removeprefix(COMMAND)
    if piece.style in ("command", "name") and pitfalls.is_known(name):
        name = pitfalls.pitfall(name).name
        return f'<a class="keng-{piece.style}" href="{pages}{name}/">{text}</a>'
    return f'<span class="keng-{piece.style}">{text}</span>' if piece.style else text
