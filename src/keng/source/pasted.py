"""Python that stands among other lines: what people paste next to an error."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keng.source.code import Code

MOST_LINES_LEFT_OUT = 60
SHOWN = re.compile(r"(?:-{2,8}> ?|>>> |\.\.\. |In \[\d{1,4}\]: )? {0,6}(?:\d{1,5}(?= |$) ?)?")
"""What notebooks and prompts put before a line of code."""

NUMBERED = re.compile(r"-{2,8}>|>>> |In \[| {0,6}\d{1,5} ")
HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
"""What such pieces begin with, mostly unsaid."""

TELLING = (ast.ClassDef, ast.FunctionDef, ast.Assign, ast.For, ast.With)


@lru_cache(maxsize=4)
def code_in(text: str) -> Code | None:
    """The lines of a text that are Python as one program; None where there are none."""
    from keng.source.code import Code, Project

    program = _program(text)
    if not program:
        return None
    code = Project(".").read("<pasted>.py", HEAD + program)
    return code if isinstance(code, Code) else None


def _program(text: str) -> str:
    """Without the lines that no Python is, one after the other as the parser meets them."""
    lines = textwrap.dedent("\n".join(map(_bare, text.splitlines()))).split("\n")
    for _ in range(MOST_LINES_LEFT_OUT):
        program = "\n".join(lines)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(program)
        except SyntaxError as error:
            _left_out(lines, min(error.lineno or 1, len(lines)) - 1, error.msg)
        except (ValueError, RecursionError, MemoryError):
            return ""
        else:
            return program if any(isinstance(each, TELLING) for each in ast.walk(tree)) else ""
    return ""


def _left_out(lines: list[str], at: int, why: str) -> None:
    """Takes the line that cannot be read out. A block that stands indented below a sentence is kept as one,
    and an empty line tells that the one above it wants something below."""
    if why == "unexpected indent" and at > 0 and not lines[at - 1].strip():
        lines[at - 1] = "if True:"
        return
    while at > 0 and not lines[at].strip():
        at -= 1
    lines[at] = ""


def _bare(line: str) -> str:
    if line.strip().startswith(("```", "~~~")):
        return ""
    return line[SHOWN.match(line).end() :] if NUMBERED.match(line) else line  # type: ignore[union-attr]
