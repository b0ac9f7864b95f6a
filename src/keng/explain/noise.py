"""Takes off what terminals, loggers, ranks and notebooks put around a traceback."""

from __future__ import annotations

import re

MOST = 4_000_000
"""Characters that are looked at; of a longer text the last ones, where the error is."""
LONGEST_LINE = 20_000

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "\xa0": " "})
# What stands before a line: a quotation mark, a rank, a process, a time, a logger's name and level.
PREFIX = re.compile(
    r"""(?x)
    (?: >\ ? | \|\ (?=\S|\ )
      | \[(?:rank|default)\d+\]:\ ?
      | \[\d+,\d+\]<std(?:err|out)>:\ ?
      | \((?:\w+\ )?pid=\d+[^)\n]{0,60}\)\ ?
      | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?\]?[ \t:|-]{0,4}
      | \[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)\]?[ \t:|-]{1,4}
    )+"""
)
BOX = re.compile(r"^\s*[│┃|]\s?(.*?)\s*[│┃|]\s*$")
BOX_TITLE = re.compile(r"^\s*[╭┌].*Traceback \(most recent call last\).*$")
BOX_EDGE = re.compile(r"^\s*[╭╰┌└][─━].*$")
BOX_FRAME = re.compile(r"^(\S.*):(\d+) in (\S+)$")
BOX_CODE = re.compile(r"^(?:❱\s*)?\d+\s+[│┃]\s?(.*)$")
BOX_FAULT = re.compile(r"^❱\s*\d+\s+[│┃]\s?(.*)$")
CELL = re.compile(r"^(Cell In\s*\[\d+\]), line (\d+)(?:, in ([\w.<>]+).*)?$")
NOTEBOOK_FRAME = re.compile(r"^File (\S+?):(\d+), in ([\w.<>]+)\(?.*$")
OLD_CELL = re.compile(r"^(<ipython-input-[^>]+>|\S+\.py) in ([\w.<>]+)\(.*\)$")
ARROW = re.compile(r"^-+> (\d+)(?: (.*))?$")


def cleaned(text: str) -> str:
    """A text in the form that Python prints: plain lines, frames as `File "...", line N, in f`."""
    text = ANSI.sub("", text[-MOST:]).translate(QUOTES)
    lines = [_shown(line[:LONGEST_LINE]) for line in re.split(r"\r?\n", text)]
    return "\n".join(_frames([_bare(line) for line in lines]))


def _shown(line: str) -> str:
    """What is left of a line that a progress bar writes over."""
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def _bare(line: str) -> str:
    found = PREFIX.match(line)
    return line[found.end() :] if found else line


def _frames(lines: list[str]) -> list[str]:
    """Frames of rich and of notebooks in Python's own form."""
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if BOX_TITLE.match(line):
            at = _rich(lines, at + 1, out)
        elif (cell := CELL.match(line) or NOTEBOOK_FRAME.match(line)) is not None:
            out.append(f'  File "{cell[1]}", line {cell[2]}, in {cell[3] or "<module>"}')
            at = _arrowed(lines, at + 1, out)
        elif (old := OLD_CELL.match(line)) is not None:
            at = _old_notebook(lines, at, old, out)
        else:
            out.append(line)
            at += 1
    return out


def _rich(lines: list[str], at: int, out: list[str]) -> int:
    out.append("Traceback (most recent call last):")
    while at < len(lines) and not BOX_EDGE.match(lines[at]):
        inside = BOX.match(lines[at])
        body = inside[1].strip() if inside else lines[at].strip()
        if (frame := BOX_FRAME.match(body)) is not None:
            out.append(f'  File "{frame[1]}", line {frame[2]}, in {frame[3]}')
        elif (fault := BOX_FAULT.match(body)) is not None:
            out.append(f"    {fault[1].strip()}")
        at += 1
    return at + 1


def _arrowed(lines: list[str], at: int, out: list[str]) -> int:
    """The line that an arrow points to, of those that a notebook shows of a frame."""
    while at < len(lines) and re.match(r"\s*(?:\d+|-+> ?\d+)(?:\s|$)", lines[at]):
        arrow = ARROW.match(lines[at].strip())
        if arrow:
            out.append(f"    {(arrow[2] or '').strip()}")
        at += 1
    return at


def _old_notebook(lines: list[str], at: int, frame: re.Match[str], out: list[str]) -> int:
    for offset, line in enumerate(lines[at + 1 : at + 12], at + 1):
        if (arrow := ARROW.match(line.strip())) is not None:
            out.append(f'  File "{frame[1]}", line {arrow[1]}, in {frame[2]}')
            return _arrowed(lines, at + 1, out)
        if not line.strip():
            return offset
    return at + 1
