"""Takes away what terminals, loggers, launchers and mails put around an error."""

from __future__ import annotations

import re

from keng.explain.reading.flattened import HEAD, is_flattened, unflattened

LONGEST_TEXT = 2_000_000
LONGEST_LINE = 4_000
"""Of a longer line the two ends are kept: loggers write one line where Python writes many."""

ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.|\x9b[0-?]*[@-~]"
)
PASTED_COLOUR = re.compile(r"\[(?:\d{1,3};){0,4}\d{1,3}m")
"""What is left of a colour where the escape character was lost in a copy."""

ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#39|#x27);")
ESCAPED = re.compile(r"\\([_*`\"'\[\]])")
"""What Markdown and JSON put a backslash before; where one stands before a letter, it is a path's."""

BOTH = re.compile(
    r" {1,4}&&? {1,4}(?=(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception): \S)"
)
"""Between two errors that a title puts on one line."""

MISREAD = re.compile(r"['\"]{1,2}, [1I]ine (?=\d)")
"""What optical recognition makes of a `File` line."""

NUMBERED = re.compile(r"[ \t]{0,8}(?P<number>\d{1,6})(?:[:.|│]? |\t)[ ]?")
FEWEST_NUMBERED = 3

LISTED = re.compile(r"- \*\*Exception Type:\*\* (\S{1,100})\n- \*\*Exception Message:\*\* ")
"""An exception as ComfyUI lists it in its reports."""

NOTEBOOKS = re.compile(r'"name": "(\w{1,80})",\s{1,9}"message": "(.{0,2000}?)",\s{1,9}"stack": "')
"""An exception as Visual Studio Code copies it out of a notebook."""

DEBUGGED = re.compile(r"^Exception has occurred: ([\w.]{1,80})[ \t]*\n(?=\S)", re.MULTILINE)
"""An exception as the debugger of Visual Studio Code shows it, its message on the next line."""

APART = re.compile(r"\b(Run ?[Tt]ime|Value|Type|Attribute|Index|Key|Assertion) [Ee]rror:")
"""The kind of an error, as people type it."""

GLUED = re.compile(r"(?<=\w:)(?=[A-Z][a-zA-Z]{1,60}Error: )|(?<=[a-z]Error) ?: ?(?=[^\s:/\\])")
"""Where people leave out the space before the kind of an error, or put it before the colon."""

KEY = re.compile(r"KeyError (?=(?:None|'[^']{1,80}'|\"[^\"]{1,80}\")(?:\s|$))")
"""The same of a missing key, without a colon."""
WRITTEN = re.compile(r"^(?:(?:(?!Error: ).){0,200}: )?KeyError\(('[^']{1,200}'),?\)$")
"""A missing key as repr() shows it: programs print that, and Hydra."""
SPOKEN = re.compile(r"([\"`])KeyError\(('[^']{1,200}'),?\)\1")
"""The same in a sentence."""
LEVEL = "(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"
PREFIXED = re.compile(
    rf"(?<=\S) {{1,4}}(?={LEVEL} \d\d-\d\d \d\d:\d\d:\d\d \[[\w./]{{1,120}}:\d{{1,6}}\] )"
)
"""Where the lines of vLLM's log began that were pasted as one."""
SYSTEMS = {"[Errno 2": "FileNotFoundError", "[Errno 13": "PermissionError"}
"""The kinds of what the system says, where they are not OSError."""

LIBRARY = re.compile(r"\b(?:Import|OS)Error: lib[\w.+-]{1,60}\.so(?:\.\d{1,6}){0,4}$")
"""What the loader did not find, as titles name it, which leave out that it was not found."""

PATH = re.compile(r"\b[A-Z]:\\[^\\n]")
"""A path of Windows as it is: in a text whose line ends are escaped its backslashes are doubled."""

JSONS = re.compile(r"\\([n\"\\t])")
UNESCAPED = {"n": "\n", "t": "\t"}
"""What JSON escapes in a traceback."""

BAR = re.compile(r"%\|[^|]{0,300}\|[^\[]{0,80}(?:\[[^\]]{0,120}\]?)?")
"""The rest of tqdm's `Epoch 1:  50%|#####     | 5/10 [00:01<00:01,  4.20it/s]`."""

PREFIX = re.compile(
    rf"""
      \[?(?:default)?\[?[rR]ank[ ]?\d{{1,6}}\]:?[ ]?           # [rank0]:  [Rank 3]
    | \[(?:\d{{1,5}}|default\d{{1,5}})\]:[ ]?                  # [0]:  [default0]:
    | \(\w[^()]{{0,80}}\b(?:pid|ip)=[^()]{{1,80}}\)[ ]?        # (worker pid=12, ip=10.0.0.1)
    | [\[(]?\d{{4}}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?
      (?:Z|[ ]?[+-]\d\d:?\d\d)?[\])]?(?:[ ][-|]|:)?[ ]?
    | \[\d{{1,5}},(?:\d{{1,5}}|mpirank:[\w:,-]{{1,40}})\]<std(?:err|out)>:[ ]?   # mpirun's [1,0]<stderr>:
    | std(?:err|out):[ ]                                     # accelerate's own test
    | \d{{1,3}}(?:\.\d{{1,3}}){{3}}:[ ]                        # pdsh's 10.0.0.1:
    | \#\d{{1,3}}[ ]\d{{1,5}}\.\d{{1,3}}[ ]                      # docker build's #12 45.31
    | \d{{1,5}}\.\d{{2,3}}[ ](?=[ ]{{2}}File[ ]"|[ ]{{4,40}}[a-z_]|Traceback[ ]\(
      |(?:\w{{1,40}}\.){{0,4}}[A-Z]\w{{1,60}}Error:[ ])   # and 45.31 below a failed RUN
    | std(?:err|out)[ ][FP][ ]                              # a container's, under Kubernetes
    | [a-z][\w.-]{{0,60}}\d[ ]{{1,30}}\|[ ]                    # docker compose's trainer-1  |
    | [ ]{{0,3}}\d{{1,4}}:[ ]                                 # srun --label's
    | E[ ]{{7}} | E[ ]{{3}}                                   # pytest's
    | [\[(]?\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?[\])]?[ ](?:-[ ])?
    | [IWEF]\d{{4}}[ ]\d\d:\d\d:\d\d\.\d{{1,9}}[ ]{{1,8}}\d{{1,12}}[ ][^\]]{{1,120}}\][ ]?   # glog
    | {LEVEL}:[\w.]{{1,120}}:                               # ERROR:root:
    | \[{LEVEL}\][ ]
    | \[(?:Init|Info|Warning|Error|Debug)\][ ]\[[\w./-]{{1,60}}\][ ]?   # SwarmUI's, of what it started
    | {LEVEL}[ ]\d\d-\d\d[ ]\d\d:\d\d:\d\d[ ]\[[\w./]{{1,120}}:\d{{1,6}}\][ ]?   # vLLM's
    | [\w.]{{1,120}}[ ]-[ ]{LEVEL}[ ]-[ ]
    | \[?{LEVEL}\]?[ ]{{0,8}}(?:\||-[ ]|:)[ ]?              # [ERROR]:  ERROR    |
    | [\w.<>]{{1,120}}:[\w.<>]{{1,120}}:\d{{1,6}}[ ]-[ ]      # loguru's module:function:12 -
    """,
    re.VERBOSE,
)
QUOTE = re.compile(r"(?:>[ ]?){1,8}")
MARKS = r"(?:\*{1,3}|_{2,3}|<(?:b|strong|em|code|pre|p)>){1,3}"
STRESSED = re.compile(
    rf"{MARKS}(?=(?:[A-Za-z_]\w{{0,80}}\.){{0,8}}[A-Z]\w{{0,80}}(?:Error|Exception|Warning|Interrupt)\b|"
    r"Traceback \()"
)
"""How Markdown and HTML make an error stand out, at its beginning."""
STRESSED_UP_TO = re.compile(r"(?:\*{2,3}|</?(?:b|strong|em|code|pre|p|br)[ /]{0,2}>){1,3}$")
"""The same at its end; Python ends no line so."""
COLAB = re.compile(r"\[([^\]]{1,400})\]\(https?:[^)]{0,400}\)")
EDGES = "╭╰┏┗┌└┡┢├"
BARS = "│┃"
BRANCH = re.compile(r"[╰└├]─{1,2}[▶>]? (?=\S)(?![─━])")
"""Where the line of a tree begins, as uv and mamba print them; the rest of it is no box's."""
GROUP = re.compile(r" {0,200}(?:\+-\+-{3,}.*|\+-{3,}.*|\| ?|\+ (?=Exception Group))")
FLAT_CODE = re.compile(
    r"(?:return|raise|assert|await|yield) \S|[A-Za-z_][\w.\[\], ()'\"*]{0,120} [-+*/@|&]?= \S|"
    r"[A-Za-z_][\w.]{0,80}\(.{0,400}[)(,]$|(?:with|for|if|while) \S.{0,400}:$"
)
"""A line of code below its `File` line, where a copy has lost the indents of both."""

TYPOGRAPHY = str.maketrans(
    {
        "（": "(", "）": ")", "：": ":", "，": ",",
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
    if "\\n" in text:
        several = "\n" in text or is_flattened(text)
        text = "\n".join(map(_unfolded, text.split("\n"))) if several else _opened(text)
    text = as_everywhere(text.translate(TYPOGRAPHY))
    if " ERROR " in text:
        text = PREFIXED.sub("\n", text)
    if "&" in text:
        text = ENTITY.sub(_character, text)
    if "**Exception" in text:
        text = LISTED.sub(r"\1: ", text)
    if '"stack": "' in text:
        text = NOTEBOOKS.sub(lambda found: f"{found[1]}: {found[2]}\n".replace("\\\\", "\\"), text)
    if "Exception has occurred: " in text:
        text = DEBUGGED.sub(r"\1: ", text)
    if is_flattened(text):
        text = unflattened(text)
    if "&& " in text:
        text = BOTH.sub("\n", text)
    if ", 1ine " in text or ", Iine " in text:
        text = MISREAD.sub('", line ', text)
    return [_line(line) for line in _unnumbered(text.split("\n"))]


def as_everywhere(text: str) -> str:
    """With the names of types in C++ as other compilers than that of Windows write them."""
    return text.replace("struct c10::", "c10::")


def _unfolded(line: str) -> str:
    """With the traceback that a logger has put on one line in several again."""
    return _opened(line) if "(most recent call last):\\n" in line else line


def _opened(text: str) -> str:
    if PATH.search(text):
        return text
    if 'File \\"' not in text:
        return text.replace("\\n", "\n")
    return JSONS.sub(lambda found: UNESCAPED.get(found[1], found[1]), text)


def _unnumbered(lines: list[str]) -> list[str]:
    """Without the numbers of lines that editors and web logs put before a traceback."""
    first = next((n for n, line in enumerate(lines) if HEAD in line), len(lines))
    begun = NUMBERED.match(lines[first]) if first < len(lines) else None
    if begun is None:
        return lines
    numbered: list[str] = []
    for number, line in enumerate(lines[first:], int(begun["number"])):
        found = NUMBERED.match(line)
        if found is None or int(found["number"]) != number:
            break
        numbered.append(line[found.end() :])
    if len(numbered) < FEWEST_NUMBERED:
        return lines
    return [*lines[:first], *numbered, *lines[first + len(numbered) :]]


def _character(entity: re.Match[str]) -> str:
    from html import unescape

    return unescape(entity[0])


def _line(line: str) -> str:
    if not line:
        return line
    if " Error:" in line or " error:" in line:
        line = APART.sub(lambda found: f"{found[1].replace(' ', '').capitalize()}Error:", line)
    if line.startswith("KeyError "):
        line = KEY.sub("KeyError: ", line, count=1)
    if line.endswith(("')", "',)")):
        line = WRITTEN.sub(r"KeyError: \1", line)
    if "KeyError('" in line:
        line = SPOKEN.sub(r"\1KeyError: \2\1", line)
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
    while (at := line.find("%|")) >= 0:
        found = BAR.match(line, at)
        line = line[found.end() if found else at + 2 :]
    if "m" in line and "[" in line:
        line = PASTED_COLOUR.sub("", line)
    if line.startswith(">"):
        line = line[QUOTE.match(line).end() :]  # type: ignore[union-attr]
    if line.count("`") == 1 and (line[0] == "`" or line[-1] == "`"):
        line = line.strip("`")  # Markdown's, around several lines
    if line[:1] in ("*", "_", "<") and (opened := STRESSED.match(line)) is not None:
        signs, line = opened[0], line[opened.end() :]
        line = line.removesuffix(signs) if signs[0] != "<" else line
    if line[-1:] in ("*", ">"):
        line = STRESSED_UP_TO.sub("", line)
    if "\\" in line and not re.search(r"\\\w", line.replace("\\_", "")):
        line = ESCAPED.sub(r"\1", line)
    return _unglued(_of_a_kind(_unboxed(_unlabelled(line)).rstrip()))


def _of_a_kind(line: str) -> str:
    """What the system said, where a program has printed it without its kind, or a person half of it."""
    if "Error: lib" in line and LIBRARY.search(line):
        return f"{line}: cannot open shared object file"
    if not line.startswith(("[Errno ", "[WinError ")):
        return line
    return f"{SYSTEMS.get(line.partition(']')[0], 'OSError')}: {line}"


def _unglued(line: str) -> str:
    told = "Error:" in line or "Error :" in line
    return GLUED.sub(lambda found: ": " if found[0] else " ", line) if told else line


def _unlabelled(line: str) -> str:
    for _ in range(6):
        found = PREFIX.match(line)
        if found is None:
            break
        line = line[found.end() :]
    return COLAB.sub(r"\1", line, count=1) if line.startswith("[") else line


def _unboxed(line: str) -> str:
    inside = line.lstrip(" ")
    head = inside[:1]
    if not head or head not in f"{EDGES}{BARS}|+":
        return line
    if (branch := BRANCH.match(inside)) is not None:
        return inside[branch.end() :]
    if head in EDGES:
        return f"{HEAD}:" if HEAD in line else ""
    if head in BARS:
        return inside[1:].rstrip(" ").rstrip(BARS).removeprefix(" ")
    return GROUP.sub("", line, count=1)
