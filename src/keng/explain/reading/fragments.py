"""Errors of which a person has typed or kept a piece: "CUDA out of memory".

Patterns want a message whole, for the numbers in it. A piece is looked for in the words of the patterns
and in the messages that the pages show; what is in those of many pitfalls tells nothing. Nor is a
message whole whose beginning or end was cut off, or which another version words a little otherwise: a
long run of its words is looked for.
"""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from keng.explain.matching.literals import texts
from keng.explain.ownership.judge import speaks_of_torch
from keng.explain.reading.tracebacks import Error, Report, read
from keng.model import Pitfall
from keng.pitfalls.contents import recorded

BRACKETS = re.compile(r"\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\]")
PLACE = re.compile(r"(?:[a-z]:)?[\\/][\w.+~-]{1,60}(?:[\\/][\w.+~-]{1,60}){2,30}")
"""A path, of which a file's name and the folders differ, and those of an installation tell nothing."""

SIGNS = re.compile(r"[^a-z\n]+")
"""What differs from one error to the next, and what people leave out: sizes, numbers, signs."""

LONGEST = 300
QUOTED = re.compile(r"[`\"]([^`\"\n]{20,300})[`\"]")
FEWEST_WORDS = 3
FEWEST_BELOW_FRAMES = 6
"""Of a message that was cut off below its traceback."""
MOST_PITFALLS = 3
LONG_RUN = 6
"""Words."""
RARE = 60
"""A word that tells of what a run of words is stands in the messages of one pitfall of so many at most."""
COMMON = frozenset(
    "a an and are as at be but by can cannot currently expected for found from got has have in is it moment "
    "must no not now of on only or please should support supported that the this to use used was which with "
    "yet you your code exit finished process".split()
)
FEWEST_TELLING = 3
"""Words of a run that are not common."""
MOST_LINES = 60
OF_ANOTHER_PACKAGE = re.compile(
    r"(?:satisfies the requirement|distribution found for) (?!(?:py)?torch|triton|xformers|nvidia-)"
)
"""What pip says of a package that it does not find, where that is none of PyTorch's."""
Table = dict[str, list[str]]
"""The messages of each pitfall: lines of words."""


def table_of(pitfalls: Iterable[Pitfall]) -> Table:
    return {pitfall.name: sorted(set(_lines_of(pitfall))) for pitfall in pitfalls}


def _lines_of(pitfall: Pitfall) -> Iterator[str]:
    told = [_messages(each["text"]) for each in recorded(pitfall.folder)]
    patterns = [explainer.pattern for explainer in pitfall.explainers]
    told += [texts(each) for each in patterns]
    for text in chain.from_iterable(told):
        yield from (line for line in map(_words, _words(text).split("\n")) if line.strip())


def named(report: Report, table: Callable[[], Table]) -> list[str]:
    """The pitfalls in one of whose messages the text stands, first that of whose message it is most; none
    where it is more than a piece of one, or too little."""
    asked = _asked(report)
    if COMMON.issuperset(asked.split()):
        return []
    told = table()
    within = {name: [line for line in lines if asked in line] for name, lines in told.items()}
    found = {name: min(within[name], key=len) for name in within if within[name]}
    whole = asked in found.values() or _may_be_torchs(report) or _is_rare(asked, told)
    return (
        sorted(found, key=lambda name: len(found[name]))
        if 0 < len(found) <= MOST_PITFALLS and whole
        else []
    )


def _may_be_torchs(report: Report) -> bool:
    """What was typed without a kind, or speaks of PyTorch."""
    said = report.errors[0].message if report.errors else ""
    return not said or speaks_of_torch(said)


def _is_rare(run: str, table: Table) -> bool:
    """Whether several words are not common, and the messages of few pitfalls have one of them."""
    telling = [word for word in run.split() if word not in COMMON]
    often = Counter(word for lines in table.values() for word in set(" ".join(lines).split()))
    rarest = min((often[word] for word in telling), default=len(table))
    return len(telling) >= FEWEST_TELLING and RARE * rarest <= len(table)


def sharing(report: Report, table: Callable[[], Table]) -> list[str]:
    """The pitfall with which alone the text shares a long run of words, a rare one among them."""
    told = {name: "\n".join(lines) for name, lines in table().items()}
    everything = "\n".join(told.values())
    lines = [" ".join(error.message.split()) for error in report.errors] or report.rest
    lines = [line for line in lines if not OF_ANOTHER_PACKAGE.search(line)]
    runs = (
        _longest_run(_words(line[:LONGEST]).split(), everything) for line in lines[-MOST_LINES:]
    )
    run = max(runs, key=len, default="")
    found = [name for name, text in told.items() if run and run in text]
    return found if len(found) == 1 and _is_rare(run, table()) else []


def _longest_run(words: list[str], everything: str) -> str:
    longest, begin, end = "", 0, LONG_RUN
    while end <= len(words):
        run = f" {' '.join(words[begin:end])} "
        if run in everything:
            longest, end = max(longest, run, key=len), end + 1
        else:
            begin, end = begin + 1, max(end, begin + 1 + LONG_RUN)
    return longest


def _asked(report: Report) -> str:
    """The words of what is there, if it is no more than a line."""
    errors = report.errors or [
        Error("", line) for line in _quoted(report.rest) or report.rest if line.strip()
    ]
    if len(errors) != 1 or len(errors[0].message) > LONGEST:
        return ""
    kind, message = errors[0].kind.rpartition(".")[2], _words(errors[0].message)
    if message.strip():
        fewest = FEWEST_BELOW_FRAMES if errors[0].frames else FEWEST_WORDS
        return message if len(message.split()) >= fewest else ""
    return "" if errors[0].frames or hasattr(builtins, kind) else _words(kind)


def _quoted(lines: list[str]) -> list[str]:
    """The one sentence that the lines quote; what they say around it is a person's."""
    told = QUOTED.findall("\n".join(lines[-MOST_LINES:]))
    sentences = [each for each in told if len(_words(each).split()) >= LONG_RUN]
    return sentences if len(sentences) == 1 else []


def _messages(text: str) -> list[str]:
    told = [f"{e.kind.rpartition('.')[2]}\n{e.message}" for e in read(text.splitlines()).errors]
    return told or [text]


def _words(text: str) -> str:
    """Small letters, one space between words and around them."""
    return f" {SIGNS.sub(' ', BRACKETS.sub(' ', PLACE.sub(' ', text.lower()))).strip()} "
