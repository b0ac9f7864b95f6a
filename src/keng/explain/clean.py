"""Takes away what terminals, loggers, launchers and mails put around an error."""

from __future__ import annotations

import re

LONGEST_TEXT = 2_000_000
LONGEST_LINE = 4_000
"""Of a longer line the two ends are kept: loggers write one line where Python writes many."""

ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.|\x9b[0-?]*[@-~]"
)
PASTED_COLOUR = re.compile(r"\[(?:\d{1,3};){0,4}\d{1,3}m")
"""What is left of a colour where the escape character was lost in a copy."""

BAR = re.compile(r"[^\n]{0,200}?\d{1,3}%\|[^|\n]{0,300}\|[^\[\n]{0,80}(?:\[[^\]\n]{0,120}\]?)?")
"""tqdm's: `Epoch 1:  50%|#####     | 5/10 [00:01<00:01,  4.20it/s]`."""

PREFIX = re.compile(
    r"""
      \[?(?:default)?\[?[rR]ank\s?\d{1,6}\]:?[ ]?            # [rank0]:  [Rank 3]
    | \[(?:\d{1,5}|default\d+)\]:[ ]?                        # [0]:  [default0]:
    | \(\w[^()]{0,80}\b(?:pid|ip)=[^()]{1,80}\)[ ]?          # (worker pid=12, ip=10.0.0.1)
    | [\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[ ]?[+-]\d\d:?\d\d)?[\])]?[ ]?(?:-[ ])?
    | [\[(]?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?[\])]?[ ](?:-[ ])?
    | [IWEF]\d{4}[ ]\d\d:\d\d:\d\d\.\d{1,9}[ ]+\d+[ ][^\]\n]{1,120}\][ ]?
    | \|?[ ]?\[?(?:DEBUG|INFO|WARNING|ERROR|CRITICAL|FATAL|stderr|stdout)\]?[ ]*(?:\||-[ ]|:(?![ ]{2}))[ ]?
    | (?:root|__main__|[a-z_]\w*(?:\.\w+)+):(?:[ ]|(?=[A-Z]))
    | [\w.<>]{1,80}:[\w.<>]{1,80}:\d{1,6}[ ]-[ ]              # loguru: module:function:12 -
    """,
    re.VERBOSE,
)
QUOTE = re.compile(r"(?:>[ ]?){1,8}(?!>)")
BOX = re.compile(r"^[ ]{0,8}[│┃|][ ]?(?P<inside>.*?)[ ]*[│┃|]?[ ]*$")
EDGE = re.compile(r"^[ ]*[╭╰┏┗┌└┡┢├][─━═ ]")
GROUP = re.compile(r"^[ ]{0,200}(?:\+-\+-{3,}[^\n]*|\+-{3,}[^\n]*|\|[ ]?|\+[ ](?=Exception Group))")

TYPOGRAPHY = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "′": "'",
        "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u3000": " ",
        "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None,
        "\0": None, "\v": "\n", "\f": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n",
    }
)  # fmt: skip


def clean(text: str) -> list[str]:
    """The lines of a text, each as Python wrote it."""
    text = text[-LONGEST_TEXT:].replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text or "\x9b" in text:
        text = ANSI.sub("", text)
    if "\\n" in text and "\n" not in text:
        text = text.replace("\\n", "\n")
    text = text.translate(TYPOGRAPHY)
    return [_line(line) for line in text.split("\n")]


def _line(line: str) -> str:
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
    if "%|" in line:
        line = BAR.sub("", line)
    if "m" in line and "[" in line:
        line = PASTED_COLOUR.sub("", line)
    if line.startswith(">"):
        line = QUOTE.sub("", line, count=1)
    line = _unlabelled(line)
    return _unboxed(line).rstrip()


def _unlabelled(line: str) -> str:
    for _ in range(6):
        found = PREFIX.match(line)
        if found is None or not found[0]:
            return line
        line = line[found.end() :]
    return line


def _unboxed(line: str) -> str:
    head = line.lstrip(" ")[:1]
    if head in "│┃" and head:
        found = BOX.match(line)
        return found["inside"] if found else line
    if head in "|+" and head:
        return GROUP.sub("", line, count=1)
    return "" if head and EDGE.match(line) else line
