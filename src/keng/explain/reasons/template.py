"""The message of a raise as a template: each expression in it is found again in the message as printed."""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import NamedTuple

from keng.explain.reasons.source import Tree

PERCENT = re.compile(r"(%[-#0 +]?[\d.]{0,6}[srdifgx])")
LONGEST_MESSAGE = 4000
MOST_HOLES = 12
LEAST_FIXED = 6
"""Characters of a template that tell one message from another."""


class Hole(NamedTuple):
    """A place in a template that the text of an expression fills."""

    expression: str


Parts = list["str | Hole"]


def template_of(node: ast.AST, tree: Tree) -> Parts:
    """The parts of the message of a raise, an assert or a `torch._check`; none without a message."""
    message = _message(node)
    if isinstance(message, ast.Lambda):
        message = message.body
    return _parts(message, tree, node, 0) if message is not None else []


def _message(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.Assert(msg=message):
            return message
        case ast.Call(args=[_, message, *_]):
            return message
        case ast.Raise(exc=ast.Call(args=[message, *_])):
            return message
    return None


def _parts(message: ast.expr, tree: Tree, at: ast.AST, depth: int) -> Parts:
    match message:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return [_part(value) for value in values]
        case ast.BinOp(left=left, op=ast.Add(), right=right) if depth < 20:
            return [*_parts(left, tree, at, depth + 1), *_parts(right, tree, at, depth + 1)]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            return _percent(text, right)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return _format(text, message)
        case ast.Name(id=name) if depth < 2 and (given := _assigned(name, tree, at)) is not None:
            return _parts(given, tree, at, depth + 1)
    return [Hole(ast.unparse(message))]


def _part(value: ast.expr) -> str | Hole:
    match value:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=inner):
            return Hole(ast.unparse(inner))
    return Hole("?")


def _percent(text: str, given: ast.expr) -> Parts:
    arguments = list(given.elts) if isinstance(given, ast.Tuple) else [given]
    parts: Parts = []
    for piece in PERCENT.split(text):
        if PERCENT.fullmatch(piece):
            parts.append(Hole(ast.unparse(arguments.pop(0)) if arguments else "?"))
        else:
            parts.append(piece.replace("%%", "%"))
    return parts


def _format(text: str, call: ast.Call) -> Parts:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    parts: Parts = []
    automatic = 0
    for literal, field, _, _ in Formatter().parse(text):
        parts.append(literal)
        if field is None:
            continue
        key = re.split(r"[.\[]", field)[0]
        number = int(key) if key.isdigit() else automatic
        automatic += not key
        given = named.get(key) if key and not key.isdigit() else None
        if given is None and number < len(call.args):
            given = call.args[number]
        parts.append(Hole(ast.unparse(given) if given is not None else "?"))
    return parts


def _assigned(name: str, tree: Tree, at: ast.AST) -> ast.expr | None:
    """The only value that a name is given in the function."""
    function = tree.function(at)
    if function is None:
        return None
    values = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    if len(values) > 1:  # several branches set `msg`: the one just above the raise
        line = getattr(at, "lineno", 0)
        near = [value for value in values if 0 < line - (value.end_lineno or value.lineno) <= 2]
        return near[-1] if near else None
    return values[0] if values else None


def unify(parts: Parts, message: str) -> dict[str, str] | None:
    """What each expression was printed as; None if the message is not one of this template. What could be
    split in two ways is left out."""
    literals, holes = _alternating(parts)
    text = _folded(message).strip()
    if sum(len(each.strip()) for each in literals) < LEAST_FIXED or len(text) > LONGEST_MESSAGE:
        return None
    first, last = _split(literals, text), _split_from_the_end(literals, text)
    if first is None or last is None or len(holes) > MOST_HOLES:
        return None
    found = zip(holes, first, last, strict=True)
    return {hole: one.strip() for hole, one, other in found if one == other and hole != "?"}


def _alternating(parts: Parts) -> tuple[list[str], list[str]]:
    """The literals, one more than the expressions between them."""
    literals, holes = [""], []
    for part in parts:
        if isinstance(part, Hole):
            holes.append(part.expression)
            literals.append("")
        else:
            literals[-1] = _folded(literals[-1] + part)
    literals[0], literals[-1] = literals[0].lstrip(), literals[-1].rstrip()
    return literals, holes


def _folded(text: str) -> str:
    """Text with every run of white space as one space: messages are often pasted with other line ends."""
    return re.sub(r"\s+", " ", text)


def _split(literals: list[str], text: str) -> list[str] | None:
    """What is between the literals, each found as early as it can be."""
    if len(literals) == 1:
        return [] if text == literals[0] else None
    if not text.startswith(literals[0]) or not text.endswith(literals[-1]):
        return None
    at, end = len(literals[0]), len(text) - len(literals[-1])
    found = []
    for literal in literals[1:-1]:
        next_at = text.find(literal, at, end)
        if next_at < 0:
            return None
        found.append(text[at:next_at])
        at = next_at + len(literal)
    return [*found, text[at:end]] if at <= end else None


def _split_from_the_end(literals: list[str], text: str) -> list[str] | None:
    found = _split([each[::-1] for each in reversed(literals)], text[::-1])
    return [each[::-1] for each in reversed(found)] if found is not None else None
