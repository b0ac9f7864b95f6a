"""Reads a page: the docstring of a unit, which is its documentation and its tests.

    A title that is one sentence.

    Why: paragraphs of plain Markdown.

    Cure: what to do.

    Bad:            (a note may follow: `Bad (a model that ends in softmax):`)

    ```python
    x.cuda()  # here: the copy is dropped
    ```

then Good, Fine, Proof (asserts that run after the Bad above them), Message blocks (a text as printed,
`Message (torch 2.13.0, CUDA):`), Machine and Sound blocks (a machine on which the pitfall is found, or
one that looks like it and is right, in TOML) and `Sources:`. A translation is the same without the
blocks; below it, after a line `说法：`, stand the sentences that the unit says, each over its translation:

    `{total}` keeps the graph of every step through `{loss}`
    : `{total}` 通过 `{loss}` 留住了每一步的计算图
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

from keng.model import CatalogError, Pitfall

LABEL = re.compile(r"(Bad|Good|Fine|Proof|Message|Machine|Sound)(?: \((.+)\))?:$")
MARK = re.compile(r"#\s*(here|seen): ")
CURE = ("Cure: ", "做法：")
SOURCES = ("Sources: ", "出处：")
SAID = "\n说法：\n"
NAMES = ("Metal", "Python", "Transformers", "Triton")
"""Names that a title begins with, and that have no capitals inside."""


class Block(NamedTuple):
    """A fenced program or message. `line` is that of its first line in the docstring, from 1."""

    label: str
    note: str
    text: str
    line: int

    def marks(self, kind: str = "here") -> list[int]:
        """Lines, from 1, that carry `# here: reason` (source shows it) or `# seen: reason` (the run or
        the error shows it there)."""
        lines = enumerate(self.text.splitlines(), 1)
        return [n for n, line in lines for mark in MARK.finditer(line) if mark[1] == kind]


class Translation(NamedTuple):
    """The digest of what it is a translation of, the prose, and each sentence with its translation."""

    digest: str
    page: Page
    said: dict[str, str]


class Page(NamedTuple):
    title: str
    why: str
    cure: str
    sources: str = ""
    blocks: tuple[Block, ...] = ()

    def programs(self, label: str) -> list[Block]:
        return [block for block in self.blocks if block.label == label]

    def proof_of(self, bad: Block) -> str:
        """The asserts under a Bad block, or nothing."""
        after = self.blocks[self.blocks.index(bad) + 1 :]
        return after[0].text if after and after[0].label == "Proof" else ""

    @property
    def headline(self) -> str:
        """The title as a message."""
        title = self.title.removesuffix(".")
        first, _, _ = title.partition(" ")
        common = first not in NAMES and (len(first) == 1 or first[1:].islower())
        return title[0].lower() + title[1:] if common else title

    @property
    def digest(self) -> str:
        """What a translation is a translation of."""
        import hashlib  # only tests and contributors ask

        prose = "\n".join((self.title, self.why, self.cure))
        return hashlib.sha256(" ".join(prose.split()).encode()).hexdigest()[:12]


def page_of(pitfall: Pitfall, lang: str = "en") -> Page:
    """The page of a unit; in another language the prose is that of its translation, where there is
    one. Raises CatalogError for a page that cannot be read."""
    page = parse(_docstring(pitfall), pitfall.module)
    there = translation(pitfall.group, pitfall.name, lang)
    if there is None:
        return page
    other = there.page
    return Page(other.title, other.why, other.cure, page.sources, page.blocks)


def translation(group: str, name: str, lang: str) -> Translation | None:
    """Nothing where a page has none."""
    path = _translations(lang) / group / f"{name}.md"
    if not path.exists():
        return None
    first, _, rest = path.read_text("utf-8").partition("\n")
    digest = re.fullmatch(r"<!-- of ([0-9a-f]{12}) -->", first.strip())
    if digest is None:
        raise CatalogError(f"{path}:1: the first line must be <!-- of DIGEST -->")
    prose, _, said = rest.partition(SAID)
    return Translation(
        digest[1], parse(prose.replace("# ", "", 1), str(path)), _pairs(said, str(path))
    )


def shared(lang: str) -> dict[str, str]:
    """Sentences that several units or the engines say."""
    path = _translations(lang) / "said.md"
    return _pairs(path.read_text("utf-8"), str(path))


def _translations(lang: str) -> Path:
    return Path(__file__).parent / "pages" / lang


def _pairs(text: str, name: str) -> dict[str, str]:
    """Sentences and their translations. Raises CatalogError naming `name` and the line that is neither."""
    lines = [line for line in text.splitlines() if line.strip()]
    for said, other in zip(lines[::2], [*lines[1::2], ""], strict=False):
        if said.startswith(": ") or not other.startswith(": "):
            raise CatalogError(f"{name}: `{said}` has no line `: translation` below it")
    return {
        said: other.removeprefix(": ") for said, other in zip(lines[::2], lines[1::2], strict=True)
    }


def parse(text: str, name: str = "page") -> Page:
    """Reads the text of a page. Raises CatalogError naming `name` and the line."""
    lines = text.strip("\n").splitlines()
    prose: list[str] = []
    blocks: list[Block] = []
    label: re.Match[str] | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            end = next((n for n in range(at + 1, len(lines)) if lines[n] == "```"), None)
            if label is None or end is None:
                raise CatalogError(
                    f"{name}:{at + 1}: a fence without a label above or an end below"
                )
            blocks.append(
                Block(label[1], label[2] or "", "\n".join(lines[at + 1 : end]) + "\n", at + 2)
            )
            at, label = end, None
        elif (found := LABEL.match(line)) is not None:
            label = found
        elif line.strip() and label is not None:
            raise CatalogError(f"{name}:{at + 1}: a fenced program must follow `{label[0]}`")
        else:
            prose.append(line)
        at += 1
    return _page(prose, tuple(blocks), name)


def _page(prose: list[str], blocks: tuple[Block, ...], name: str) -> Page:
    title, *paragraphs = [
        p.strip() for p in re.split(r"\n\s*\n", "\n".join(prose)) if p.strip()
    ] or [""]
    cure = [p for p in paragraphs if p.startswith(CURE)]
    sources = [p for p in paragraphs if p.startswith(SOURCES)]
    why = [p for p in paragraphs if p not in cure and p not in sources]
    if not (title and why and len(cure) == 1):
        raise CatalogError(
            f"{name}:1: a page has a title, a why, and one paragraph that begins with Cure:"
        )
    return Page(
        " ".join(title.split()),
        "\n\n".join(why),
        _unlabel(cure[0]),
        _unlabel("".join(sources)),
        blocks,
    )


def _unlabel(paragraph: str) -> str:
    for label in (*CURE, *SOURCES):
        paragraph = paragraph.removeprefix(label)
    return paragraph.strip()


def _docstring(pitfall: Pitfall) -> str:
    if pitfall.doc is not None:
        return pitfall.doc
    file = getattr(sys.modules.get(pitfall.module), "__file__", None)
    if file is None:
        raise CatalogError(f"{pitfall.module}:1: no page")
    # `python -OO` drops docstrings; the file still has them.
    return ast.get_docstring(ast.parse(Path(file).read_bytes()), clean=False) or ""
