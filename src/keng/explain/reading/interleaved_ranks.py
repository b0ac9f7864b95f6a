"""Logs in which several ranks speak at once: untangled, and which of them failed first."""

from __future__ import annotations

import re

LABEL = re.compile(  # [rank0]:  [0]:  [default0]:
    r"[ ]{0,4}(?:\x1b\[[\d;]{0,9}m)?\[(?:default|[Rr]ank ?)?(?P<rank>\d{1,5})\]:[ ]?"
)
BARE = re.compile(r"[ ]{0,3}(?P<rank>\d{1,4}):[ ]?")
"""srun --label's `0: `: much else begins like that, so it is a rank's where a traceback begins behind it."""

BEGUN = re.compile(rf"^{BARE.pattern}Traceback \(most recent call last\)", re.MULTILINE)
ROOT = re.compile(
    r"Root Cause \(first observed failure\):.{0,400}?\brank\s{0,8}: (?P<rank>\d{1,5})", re.DOTALL
)
"""torchrun's summary."""

RAISED = re.compile(r"\b\w*(?:Error|Exception)\b|Assertion .{1,200} failed")
CONSEQUENCE = re.compile(
    r"Watchdog|NCCL|[Cc]onnection (?:reset|closed|refused)|Broken pipe|ChildFailed|SIGTERM|store->get|"
    r"timed out|DistStoreError|another process has failed"
)
"""What is raised where another rank has died."""


def label_in(text: str) -> re.Pattern[str]:
    """What the lines of ranks begin with."""
    return BARE if ": Traceback (" in text and BEGUN.search(text) else LABEL


def untangled(text: str) -> tuple[str, str]:
    """The text rank by rank, that of the one that failed first at the end, and the name of that rank;
    as it is, and nothing, where fewer than two ranks speak."""
    label = label_in(text)
    if label is LABEL and "]:" not in text:
        return text, ""
    shared: list[str] = []
    ranks: dict[str, list[str]] = {}
    broke: list[str] = []
    for line in text.split("\n"):
        found = label.match(line)
        home = shared if found is None else ranks.setdefault(found["rank"], [])
        home.append(line)
        if found and RAISED.search(line) and not CONSEQUENCE.search(line):
            broke.append(found["rank"])
    if len(ranks) < 2:
        return text, ""
    told = ROOT.search("\n".join(shared))
    first = told["rank"] if told and told["rank"] in ranks else next(iter(broke), "")
    others = [line for rank, lines in ranks.items() if rank != first for line in lines]
    return "\n".join([*shared, *others, *ranks.get(first, [])]), first
