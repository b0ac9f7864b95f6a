"""Tracebacks that lost their line ends: put back where Python, IPython and a chain of errors have them."""

from __future__ import annotations

import re

HEAD = "Traceback (most recent call last)"
KIND = r"(?:[A-Za-z_]\w{0,60}\.){0,6}_?[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Unsupported|Iteration)"
RAISED = re.compile(
    rf"(?<!except)(?<!raise)(?<!in) (?={KIND}: \S)|(?<=\S) (?={KIND}\s*(?:{re.escape(HEAD)}|$))"
)
"""Before the line that names the error, and before IPython's head of a traceback."""
PYTHONS = re.compile(r'\s+(?=File "[^"]{1,1000}", line \d{1,9}(?:, in |\s|$))')
CODE = re.compile(
    r'^(\s*File "[^"]{1,1000}", line \d{1,9}(?:, in (?:<\w{1,40}>|[\w.<>]{1,200}))?) (.*)$',
    re.DOTALL,
)
NOTEBOOKS = re.compile(
    r"\s+(?=(?:Cell|Input) In ?\[\d{1,9}\](?:, line|, in|:\d)"
    r"|\[?<ipython-input-[^>]{1,200}>(?:\]\(\S{1,200}\))?(?::\d{1,9},?)? in "
    r"|File [~/.A-Z<]\S{0,500}:\d{1,9}, in "
    r"|\[?[~/][^\s\"']{1,500}\.py(?:\]\(\S{1,200}\))? in [\w<])"
)
HEADER = re.compile(
    r"(?:(?<=[)>])|(?<=, line \d)|(?<=, line \d\d)|(?<=, line \d\d\d))\s+(?=\d{1,9} )"
)
"""Between a header of IPython's and the first line of code below it."""
ARROW = re.compile(r"\s+(?=-{1,8}> {0,4}\d{1,9} )")
MARKED = re.compile(r"(-{1,8}> {0,4})(\d{1,9}) ")
CHAINS = re.compile(
    r"\s+(?=During handling of the above exception, another|The above exception was the direct cause)"
    r"|(?<=another exception occurred:)\s+|(?<=cause of the following exception:)\s+"
)
LONGEST = 100_000


def is_flattened(text: str) -> bool:
    """Whether the head of a traceback has frames behind it on its own line."""
    return f"{HEAD}: " in text or f"{HEAD} " in text


def unflattened(text: str) -> str:
    """With each such line in several again."""
    return "\n".join(
        _opened(line) if is_flattened(line) and len(line) < LONGEST else line
        for line in text.split("\n")
    )


def _opened(line: str) -> str:
    above, head, traced = line.partition(HEAD)
    colon = ":" if traced.startswith(":") else ""
    traced = f" {traced.removeprefix(':').lstrip()}"
    if not (PYTHONS.search(traced) or NOTEBOOKS.search(traced) or ARROW.search(traced)):
        return line
    *before, kind = above.rstrip().rsplit(" ", 1) if not colon else [above]
    kind = f"{kind} " if kind and not colon else kind
    parts = _chained(traced)
    return "\n".join([*filter(None, before), f"{kind}{head}{colon}", *parts])


def _chained(traced: str) -> list[str]:
    """The lines of a traceback, and of those that follow it in a chain."""
    parts: list[str] = []
    for each in CHAINS.split(traced):
        first, head, rest = each.partition(HEAD)
        parts += _lines(first)
        if head:
            parts += [f"{head}:", *_chained(f" {rest.removeprefix(':').lstrip()}")]
    return parts


def _lines(traced: str) -> list[str]:
    traced = RAISED.sub("\n", traced)
    traced = CHAINS.sub("\n", traced)
    if PYTHONS.search(traced):
        frames = PYTHONS.sub("\n  ", traced).split("\n")
        return [part for frame in frames for part in _with_code_below(frame) if part.strip()]
    cells = ARROW.sub("\n", NOTEBOOKS.sub("\n", traced)).split("\n")
    return [part for cell in cells for part in _marked(cell) if part.strip()]


def _with_code_below(frame: str) -> list[str]:
    found = CODE.match(frame)
    return [found[1], f"    {found[2].strip()}"] if found is not None else [frame.rstrip()]


def _marked(cell: str) -> list[str]:
    """The line that IPython marked, and those below it, which count on from its number."""
    found = MARKED.match(cell)
    if found is None:
        return HEADER.sub("\n", cell, count=1).split("\n")
    below = f" {int(found[2]) + 1} "
    code, number, rest = cell[found.end() :].partition(below)
    return [f"{found[1]}{found[2]} {code}", *([f"{number}{rest}"] if number else [])]
