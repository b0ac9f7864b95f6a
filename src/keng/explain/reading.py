"""A text -> the errors in it, with their frames, in the order of their happening."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from keng.moments import Frame, Live

START = re.compile(r"^(\s*)(?:\w+ )?Traceback \(most recent call last\):?\s*$|^-{20,}\s*$")
ORIGINAL = "Original Traceback (most recent call last)"
FRAME = re.compile(r'^\s*File "([^"]{1,4096})", line (\d+)(?:, in (.+))?$')
CARETS = re.compile(r"^[\s~^]+$")
RAISED = re.compile(r"^([A-Za-z_][\w.]*)(?::\s?(.*))?$")
ERROR_LINE = re.compile(
    r"^(?:.{0,200}?\s)?((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Unsupported))(?::\s(.*))?$"
)
LINK = re.compile(
    r"^(?:During handling of the above exception|The above exception was the direct cause)"
)
CPP = re.compile(r"\nException raised from .*", re.DOTALL)
FOREIGN = re.compile(
    r"""(?x) [/\\](?:site|dist)-packages[/\\] | [/\\]lib(?:64)?[/\\]python\d | [/\\]Lib[/\\] | ^<frozen
        | [/\\](?:anaconda|miniconda)\d?[/\\](?:.*[/\\])?lib[/\\]"""
)
LONGEST_MESSAGE = 100
"""Lines of one message."""


@dataclass(frozen=True)
class Error:
    """One error. `final` where it is the one that ended the program; `worker` where it happened in a
    DataLoader's process."""

    kind: str
    message: str
    frames: tuple[Frame, ...] = ()
    final: bool = False
    worker: bool = False
    live: Live = field(default_factory=Live)

    @property
    def line(self) -> str:
        """Kind and first line of the message, as Python prints it last."""
        first = self.message.split("\n", 1)[0]
        return f"{self.kind}: {first}".strip(": ")[:500]

    @property
    def user_frame(self) -> Frame | None:
        """The deepest frame of the user's own code."""
        return next((f for f in reversed(self.frames) if f.user), None)


@dataclass(frozen=True)
class Report:
    """What a text or an exception tells: its errors, and the lines that belong to none of them."""

    errors: tuple[Error, ...]
    loose: str = ""


def report(text: str) -> Report:
    """Reads a cleaned text."""
    lines = text.split("\n")
    errors: list[Error] = []
    loose: list[str] = []
    at = 0
    while at < len(lines):
        begun = START.match(lines[at]) and "Traceback" in lines[at]
        if begun or _lone_frame(lines, at):
            error, at = _block(lines, at + (1 if begun else 0), ORIGINAL in lines[at])
            if error is not None:
                errors.append(error)
            continue
        loose.append(lines[at])
        at += 1
    if not errors:
        errors = list(_lines_with_errors(loose))
    return Report(_ended(errors), "\n".join(loose))


def _lone_frame(lines: list[str], at: int) -> bool:
    """Whether frames begin here whose heading was cut off."""
    return FRAME.match(lines[at]) is not None


def _block(lines: list[str], at: int, worker: bool) -> tuple[Error | None, int]:
    frames: list[Frame] = []
    while at < len(lines):
        frame = FRAME.match(lines[at])
        if frame is not None:
            code = lines[at + 1] if at + 1 < len(lines) else ""
            shown = code.strip() if code[:1].isspace() and not FRAME.match(code) else ""
            frames.append(_frame(frame, shown))
            at += 2 if shown else 1
        elif CARETS.match(lines[at]) or (
            lines[at][:1].isspace() and not RAISED.match(lines[at].strip())
        ):
            at += 1
        elif not lines[at].strip() or lines[at].strip().startswith("[Previous line"):
            at += 1
        else:
            break
    raised = RAISED.match(lines[at].strip()) if at < len(lines) else None
    if raised is None:
        return (Error("", "", tuple(frames), worker=worker) if frames else None), at
    message, at = _message(lines, at, raised[2] or "")
    return Error(raised[1], message, tuple(frames), worker=worker), at


def _frame(found: re.Match[str], code: str) -> Frame:
    return Frame(found[1], int(found[2]), found[3] or "", code, not FOREIGN.search(found[1]))


def _message(lines: list[str], at: int, first: str) -> tuple[str, int]:
    """The lines of a message: to the next error, link or double blank line."""
    message = [first]
    at += 1
    while at < len(lines) and len(message) < LONGEST_MESSAGE:
        line = lines[at]
        if START.match(line) or LINK.match(line) or FRAME.match(line):
            break
        if not line.strip() and not "".join(lines[at + 1 : at + 2]).strip():
            break
        message.append(line)
        at += 1
    return CPP.sub("", "\n".join(message)).strip(), at


def _lines_with_errors(lines: list[str]) -> Iterator[Error]:
    """Errors of which only the last line was kept."""
    for at, line in enumerate(lines):
        found = ERROR_LINE.match(line.strip()) if "E" in line or "W" in line else None
        if found is not None:
            rest = [found[2] or "", *lines[at + 1 : at + 1 + LONGEST_MESSAGE]]
            yield Error(found[1], CPP.sub("", "\n".join(rest)).strip())
            return


def _ended(errors: list[Error]) -> tuple[Error, ...]:
    """Marks the last error; of a worker's, that is the one that the loader hands on."""
    if not errors:
        return ()
    *before, last = errors
    ended = Error(last.kind, last.message, last.frames, True, last.worker, last.live)
    return (*before, ended)
