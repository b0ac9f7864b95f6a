"""Reads README.md, the page of a pitfall, and README.zh.md, its prose in Chinese.

---
severity: error
since: 0.1
---

# The mistake or symptom, with the name of the API

What happens, and why.

## What to do

## Bad             one program; `# check: reason` marks a line that source analysis reports, `# run: reason` one
                   that the run or the error shows
## Good            the same, right
## Error messages  up to five of them
## Not reported    what looks like it and is right
## Sources
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from keng.model import CatalogError, Pitfall

MARK = re.compile(r"#\s*(check|run): ")
HEADING = re.compile(r"## (.+)$", re.MULTILINE)
DIGEST = re.compile(r"<!-- translates ([0-9a-f]{12}) -->")
TO_DO = ("What to do", "怎么办")


class Block(NamedTuple):
    """A program or message. `line` is that of its first line in its file, from 1."""

    label: str
    note: str
    text: str
    line: int

    def marks(self, kind: str = "check") -> list[int]:
        """Lines, from 1, that carry a mark of this kind."""
        lines = enumerate(self.text.splitlines(), 1)
        return [n for n, line in lines for mark in MARK.finditer(line) if mark[1] == kind]


class Page(NamedTuple):
    """What README.md says. `blocks` are its programs and messages."""

    title: str
    why: str
    cure: str
    sources: str = ""
    blocks: tuple[Block, ...] = ()
    front: Mapping[str, str] = {}

    @property
    def digest(self) -> str:
        """Of what a translation translates."""
        import hashlib  # only tests and contributors ask

        prose = "\n".join((self.title, self.why, self.cure))
        return hashlib.sha256(" ".join(prose.split()).encode()).hexdigest()[:12]


class Translation(NamedTuple):
    """`digest` is that of the page it was made from."""

    digest: str
    page: Page


def page_of(pitfall: Pitfall, lang: str = "en") -> Page:
    """The page; its prose in another language where there is a translation. Raises CatalogError for a
    page that cannot be read."""
    folder = Path(pitfall.folder)
    page = read(folder / "README.md")
    there = translation(folder, lang) if lang != "en" else None
    if there is None:
        return page
    other = there.page
    return page._replace(title=other.title, why=other.why, cure=other.cure)


def translation(folder: Path, lang: str) -> Translation | None:
    """None where a page has none. Raises CatalogError."""
    path = folder / f"README.{lang}.md"
    if not path.exists():
        return None
    first, _, rest = path.read_text("utf-8").partition("\n")
    digest = DIGEST.fullmatch(first.strip())
    if digest is None:
        raise CatalogError(f"{path}:1: the first line must be <!-- translates DIGEST -->")
    return Translation(digest[1], parse(rest, str(path)))


def read(path: Path) -> Page:
    """Raises CatalogError."""
    try:
        return parse(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise CatalogError(f"{path}:1: {error.strerror}") from None


def parse(text: str, name: str = "README.md") -> Page:
    """Raises CatalogError naming `name` and the line."""
    front, body, before = _front(text, name)
    head, sections = _sections(body, before)
    title, _, why = head.strip().partition("\n")
    cure = next((each.text for each in sections if each.title in TO_DO), "").strip()
    if not (title.startswith("# ") and why.strip() and cure):
        raise CatalogError(f"{name}:1: a page has `# a title`, a why, and `## What to do`")
    blocks = tuple(block for each in sections for block in _blocks(each, name))
    sources = next((each.text for each in sections if each.title == "Sources"), "")
    return Page(title[2:].strip(), why.strip(), cure, sources.strip(), blocks, front)


class _Section(NamedTuple):
    title: str
    text: str
    line: int


def _front(text: str, name: str) -> tuple[dict[str, str], str, int]:
    """The front matter, what follows it, and how many lines it takes."""
    if not text.startswith("---\n"):
        return {}, text, 0
    matter, end, body = text[4:].partition("\n---\n")
    if not end:
        raise CatalogError(f"{name}:1: the front matter has no end: ---")
    pairs = [line.partition(": ") for line in matter.splitlines() if line.strip()]
    return {key: value.strip() for key, _, value in pairs}, body, matter.count("\n") + 3


def _sections(body: str, before: int) -> tuple[str, list[_Section]]:
    """What is above the first heading, and the sections; headings inside programs are comments of theirs."""
    head: list[str] = []
    sections: list[tuple[str, list[str], int]] = []
    fenced = False
    for n, line in enumerate(body.splitlines(), before + 1):
        fenced ^= line.startswith("```")
        heading = None if fenced else HEADING.match(line)
        if heading is not None:
            sections.append((heading[1], [], n + 1))
        else:
            (sections[-1][1] if sections else head).append(line)
    return "\n".join(head), [_Section(title, "\n".join(text), n) for title, text, n in sections]


def _blocks(section: _Section, name: str) -> list[Block]:
    """The fenced blocks of a section; the note is the paragraph above a fence."""
    label = {"Error messages": "Message"}.get(section.title, section.title)
    blocks: list[Block] = []
    note: list[str] = []
    lines = section.text.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("```"):
            note = [*note, lines[at]] if lines[at].strip() else note
            at += 1
            continue
        end = next((n for n in range(at + 1, len(lines)) if lines[n] == "```"), None)
        if end is None:
            raise CatalogError(f"{name}:{section.line + at}: a fence without an end")
        text = "\n".join(lines[at + 1 : end]) + "\n"
        blocks.append(Block(label, " ".join(note).removesuffix(":"), text, section.line + at + 1))
        at, note = end + 1, []
    return blocks
