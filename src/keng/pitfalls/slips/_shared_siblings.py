"""Statements that were written one after another for siblings, and the words by which their names differ."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from keng.source.tree import Tree

TOKENS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
NAMED = {
    (ast.Name, "id"),
    (ast.Attribute, "attr"),
    (ast.keyword, "arg"),
}
LARGEST = 250
"""Nodes of a statement that is still compared with its neighbour."""


Place = tuple[str, int, int, str]
"""What is between the words of a name, how many these are, and one of them with its number."""


class Swap(NamedTuple):
    """The word of the first sibling, and that of the second in its place."""

    one: str
    other: str


class Word(NamedTuple):
    """A name, an attribute, a keyword or a short text in a statement."""

    node: ast.AST
    text: str


def same_length(tree: Tree, one: ast.AST, other: ast.AST) -> bool:
    """Whether two statements have as many nodes, and few enough to be compared."""
    (start, end), (first, last) = tree.range_of(one), tree.range_of(other)
    return end - start == last - first <= LARGEST


def in_a_row(tree: Tree, *types: type[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Statements of one type, and the next one of it among the two statements behind each."""
    nodes = [each for kind in types for each in tree.nodes(kind)]
    for above in dict.fromkeys(tree.parent[each] for each in nodes):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and len(block) > 1:
                yield from _near(block, types)


def _near(
    block: list[ast.stmt], types: tuple[type[ast.stmt], ...]
) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    last = len(block) - 1
    for n in range(last):
        first = block[n]
        kind = type(first)
        if kind not in types:
            continue
        if type(block[n + 1]) is kind:
            yield first, block[n + 1]
        elif n + 1 < last and type(block[n + 2]) is kind:
            yield first, block[n + 2]


def words(tree: Tree, statement: ast.AST) -> list[Word]:
    """The names, attributes, keywords and words in quotes of a statement, in order."""
    found: list[Word] = []
    kinds = (ast.Name, ast.Attribute, ast.keyword, ast.Constant)
    for node in [statement, *tree.descendants(statement, *kinds)]:
        match node:
            case (
                ast.Name(id=text) | ast.Attribute(attr=text) | ast.keyword(arg=str(text))
            ) | ast.Constant(value=str(text)):
                found.append(Word(node, text))
    return found


def word_pairs(tree: Tree, one: ast.AST, other: ast.AST) -> list[tuple[Word, Word]]:
    """The words of two statements side by side; none where one has more."""
    of_one, of_other = words(tree, one), words(tree, other)
    return [*zip(of_one, of_other, strict=True)] if len(of_one) == len(of_other) else []


def mentions(tree: Tree, statement: ast.AST, word: str) -> bool:
    """Whether the text of a statement has a word, in part of a name too."""
    return tree.data.find(word.encode(), *tree.bounds(statement)) >= 0


def same_but_words(one: object, other: object) -> bool:
    """Whether two pieces of a tree differ in their names and texts at most."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_but_words, one, other))
    if type(one) is not type(other):
        return False
    if not isinstance(one, ast.AST):
        return one == other
    if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        both_text = isinstance(one.value, str) and isinstance(other.value, str)
        return both_text or (type(one.value) is type(other.value) and one.value == other.value)
    fields = (name for name in one._fields if (type(one), name) not in NAMED)
    return all(same_but_words(getattr(one, f, None), getattr(other, f, None)) for f in fields)


def swap_between(pairs: list[tuple[str, str]]) -> Swap | None:
    """The one word that tells all these pairs of names apart; None where there are several."""
    swaps = {difference(one, other) or Swap(one, other) for one, other in pairs}
    return swaps.pop() if len(swaps) == 1 else None


def difference(one: str, other: str) -> Swap | None:
    """The one word by which two names differ: ("l", "r") of `x_l` and `x_r`."""
    if one == other:
        return None
    (of_one, between), (of_other, same) = parts(one), parts(other)
    if between != same or len(of_one) != len(of_other) or len(of_one) < 2:
        return None
    apart = [Swap(w, o) for w, o in zip(of_one, of_other, strict=True) if w != o]
    return apart[0] if len(set(apart)) == 1 else None


def places(name: str) -> Iterator[Place]:
    """What two names of several words that differ by one have in common: a word in its place, or that each
    repeats one word."""
    words, between = parts(name)
    if len(words) > 1:
        yield from ((between, len(words), at, word) for at, word in enumerate(words))
        if len(set(words)) == 1:
            yield between, len(words), -1, ""


@lru_cache(maxsize=10_000)
def parts(name: str) -> tuple[list[str], str]:
    """The words of a name, and what is between them."""
    return TOKENS.findall(name), TOKENS.sub("", name)


def renamed(name: str, swap: Swap) -> str:
    """A name with one word replaced; "" where it does not have it."""
    if name == swap.one:
        return swap.other
    if swap.one not in parts(name)[0]:
        return ""
    return TOKENS.sub(lambda word: swap.other if word[0] == swap.one else word[0], name)


def alike(one: str, other: str) -> bool:
    """Whether two names share a word."""
    return not set(parts(one)[0]).isdisjoint(parts(other)[0])
