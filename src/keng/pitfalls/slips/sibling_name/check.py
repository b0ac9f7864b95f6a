"""Source code: a line that was copied for the second of two siblings still names the first."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import names_in

TOKENS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
NAMED = {(ast.Name, "id"), (ast.Attribute, "attr")}
ABSENT = frozenset({"exists", "is_not_none", "not_none"})


@finds
def first_of_two_again(code: Code) -> Hits:
    for node, written, meant in _tested_and_unused(code):
        yield code.hit(node, say("tested", tested=meant, used=written))
    for node, written, meant in _in_other_arm(code):
        yield code.hit(node, say("other-arm", used=written, meant=meant))
    for node, written, meant in _chained(code):
        yield code.hit(node, say("copied", used=written, meant=meant))
    for node, written, meant in _copied(code):
        yield code.hit(node, say("copied", used=written, meant=meant))


def _tested_and_unused(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`if exists(a): make(b)` where `if exists(b): ...` is another statement of the same block."""
    found = defaultdict[ast.AST, list[tuple[ast.If, str]]](list)
    for node in code.of(ast.If):
        if name := _tested(node.test):
            found[code.tree.parent[node]].append((node, name))
    for tests in found.values():
        for node, name in tests if len(tests) > 1 else ():
            yield from _used_instead(code, node, name, tests)


def _used_instead(
    code: Code, node: ast.If, name: str, tests: list[tuple[ast.If, str]]
) -> Iterator[tuple[ast.AST, str, str]]:
    if node.orelse or len(node.body) > 2:
        return
    inside = {n for each in node.body for n in names_in(each)}
    leaves = bool(code.below(node, ast.Raise, ast.Return))  # a check of both, or a choice
    if name in inside or leaves:
        return
    for other, second in tests:
        uses = any(second in names_in(each) for each in other.body)
        if second != name and second in inside and uses and _alike(name, second):
            yield next(n for n in code.below(node, ast.Name) if n.id == second), second, name


def _tested(test: ast.expr) -> str:
    """The name that a test asks to be given: `exists(a)`, `a is not None`."""
    match test:
        case ast.Call(func=ast.Name(id=asks), args=[ast.Name(id=name)]) if asks in ABSENT:
            return name
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
        ):
            return name
    return ""


def _alike(one: str, other: str) -> bool:
    """Whether two names share a word."""
    return bool(set(TOKENS.findall(one)) & set(TOKENS.findall(other)))


def _in_other_arm(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`both(a, b) if train_b else b`: without `b` it is `a` that is left."""
    for choice in code.of(ast.IfExp):
        if isinstance(choice.body, (ast.Name, ast.Constant)):
            continue
        left = names_in(choice.orelse)
        if len(left) != 1 or not left <= names_in(choice.body):
            continue
        (kept,) = left
        others = [n for n in names_in(choice.body) - left if _alike(n, kept)]
        if len(others) != 1 or kept in names_in(choice.test):
            continue
        asked = set(TOKENS.findall(ast.unparse(choice.test)))
        own, word = set(TOKENS.findall(kept)), set(TOKENS.findall(others[0]))
        if (own - word) & asked and not (word - own) & asked:
            wrong = [n for n in code.below(choice, ast.Name) if n.id == kept]
            yield wrong[-1], kept, others[0]


def _chained(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """`out_l = out_r = x * self.att_l`, where the class has `self.att_r`."""
    for assigned in code.of(ast.Assign):
        names = [t.id for t in assigned.targets if isinstance(t, ast.Name)]
        if len(names) != 2 or len(assigned.targets) != 2 or (swap := _difference(*names)) is None:
            continue
        for attribute in code.below(assigned.value, ast.Attribute):
            for one, other in (swap, swap[::-1]):
                meant = _renamed(attribute.attr, one, other)
                owner = code.classes.self_class(attribute.value)
                if owner and meant and code.classes.sets_attribute(owner, meant):
                    yield attribute, attribute.attr, meant


def _copied(code: Code) -> Iterator[tuple[ast.AST, str, str]]:
    """Two assignments in a row that differ by one word in all names but one of the second."""
    for first, second in _in_a_row(code):
        one, other = _target(first), _target(second)
        if one and other and (swap := _difference(one, other)) is not None:
            yield from _left_over(code, first, second, swap)


def _in_a_row(code: Code) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Assignments, and the next one of the same block among the two statements behind each."""
    for above in dict.fromkeys(code.tree.parent[each] for each in code.of(ast.Assign)):
        parts = (getattr(above, name, None) for name in ("body", "orelse", "finalbody"))
        for block in (part for part in parts if isinstance(part, list)):
            for first, second, third in zip_longest(block, block[1:], block[2:]):
                if type(first) is ast.Assign:
                    if type(second) is ast.Assign:
                        yield first, second
                    elif type(third) is ast.Assign:
                        yield first, third


def _target(assigned: ast.Assign) -> str:
    """The name or attribute of `self` that an assignment sets."""
    match assigned.targets:
        case [ast.Name(id=name)] | [ast.Attribute(value=ast.Name(id="self"), attr=name)]:
            return name
    return ""


def _left_over(
    code: Code, first: ast.Assign, second: ast.Assign, swap: tuple[str, str]
) -> Iterator[tuple[ast.AST, str, str]]:
    if type(first.value) is not type(second.value):
        return
    words, copies = _words(code, first.value), _words(code, second.value)
    if len(words) != len(copies):
        return
    pairs = [(w, c) for (_, w), (_, c) in zip(words, copies, strict=True)]
    changed = [(w, c) for w, c in pairs if w != c]
    if not changed or any(_renamed(w, *swap) != c for w, c in changed):
        return
    if not _same_but_names(first.value, second.value):
        return
    stale = [
        (node, c)
        for (node, c), (w, _) in zip(copies, pairs, strict=True)
        if w == c and _renamed(c, *swap)
    ]
    for node, name in stale if len(stale) == 1 else []:
        meant = _renamed(name, *swap)
        if meant and _exists(code, node, meant):
            yield node, name, meant


def _exists(code: Code, node: ast.AST, name: str) -> bool:
    """Whether the sibling is there, and nothing else of the function uses it."""
    body = code.tree.enclosing_body(node)
    if isinstance(node, ast.Name):
        there = [n for n in code.below(body, ast.Name) if n.id == name]
        arguments = [a for a in code.below(body, ast.arg) if a.arg == name]
        return bool(there or arguments) and not any(isinstance(n.ctx, ast.Load) for n in there)
    if isinstance(node, ast.Attribute) and (owner := code.classes.self_class(node.value)):
        used = [a for a in code.below(body, ast.Attribute) if a.attr == name]
        return code.classes.sets_attribute(owner, name) and not used
    return False


def _words(code: Code, value: ast.expr) -> list[tuple[ast.AST, str]]:
    """The names and attributes of an expression, in order."""
    found: list[tuple[ast.AST, str]] = []
    for node in [value, *code.below(value, ast.Name, ast.Attribute)]:
        if isinstance(node, ast.Name):
            found.append((node, node.id))
        elif isinstance(node, ast.Attribute):
            found.append((node, node.attr))
    return found


def _same_but_names(one: object, other: object) -> bool:
    """Whether two expressions differ in their names and attributes at most."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same_but_names, one, other))
    if type(one) is not type(other):
        return False
    if not isinstance(one, ast.AST):
        return one == other
    fields = (name for name in one._fields if (type(one), name) not in NAMED)
    return all(_same_but_names(getattr(one, f, None), getattr(other, f, None)) for f in fields)


def _difference(one: str, other: str) -> tuple[str, str] | None:
    """The one word by which two names differ: ("l", "r") of `x_l` and `x_r`."""
    if one == other:
        return None
    (words, between), (others, same) = _parts(one), _parts(other)
    if between != same or len(words) != len(others) or len(words) < 2:
        return None
    apart = [(w, o) for w, o in zip(words, others, strict=True) if w != o]
    return apart[0] if len(set(apart)) == 1 else None


@lru_cache(maxsize=10_000)
def _parts(name: str) -> tuple[list[str], str]:
    """The words of a name, and what is between them."""
    return TOKENS.findall(name), TOKENS.sub("", name)


def _renamed(name: str, one: str, other: str) -> str:
    """A name with one word replaced; "" where it does not have it."""
    if one not in TOKENS.findall(name):
        return ""
    return TOKENS.sub(lambda word: other if word[0] == one else word[0], name)
