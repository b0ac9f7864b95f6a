"""Source code: float32 precision is set by the old switches and by the new ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

SWITCHES = ("torch.backends.cuda.matmul.allow_tf32", "torch.backends.cudnn.allow_tf32")
PRECISION = "torch.set_float32_matmul_precision"
WIDE = ("torch.backends.fp32_precision", "torch.backends.cudnn.fp32_precision")
"""Attributes that hold for every operation whose own setting has not been set."""
OF_MATMUL = "torch.backends.cuda.matmul.fp32_precision"
READ = ("torch.backends.cuda.matmul.allow_tf32", "torch.get_float32_matmul_precision")
MENTIONED = ["torch.backends.fp32_precision"]


class Setting(NamedTuple):
    """A statement that sets a precision: `wide` for every operation, `new` by an attribute of torch 2.9."""

    node: ast.stmt
    name: str
    tf32: bool
    new: bool
    wide: bool = False


@finds(mentions=MENTIONED)
def wide_setting_without_effect(code: Code) -> Hits:
    """What the old switch has set for products, or for convolutions to TF32, stays."""
    settings = list(_settings(code))
    for later in settings:
        for first in settings if later.wide else ():
            if first.new or first.tf32 is later.tf32:
                continue
            if not _comes_first(code, first.node, later.node):
                continue
            if first.name == "torch.backends.cudnn.allow_tf32" and not first.tf32:
                continue
            if not _is_set_again(code, settings, first):
                values = {"old": first.name, "line": first.node.lineno, "new": later.name}
                says = say("keeps-tf32", **values) if first.tf32 else say("keeps-full", **values)
                yield code.hit(later.node, says)


@finds(mentions=MENTIONED)
def old_switch_read(code: Code) -> Hits:
    """Once products have TF32 by the new attribute alone, the old getters raise."""
    settings = list(_settings(code))
    old = [each for each in settings if not each.new]
    for first in settings:
        if not first.new or not first.tf32 or (not first.wide and first.name != OF_MATMUL):
            continue
        for node, name in _reads(code):
            undone = any(_comes_first(code, each.node, node) for each in old)
            if not undone and _comes_first(code, first.node, node):
                says = say("read-raises", name=name, new=first.name, line=first.node.lineno)
                yield code.hit(node, says)


def _settings(code: Code) -> Iterator[Setting]:
    for assign in code.of(ast.Assign):
        for name in map(code.names.resolve, assign.targets):
            value = assign.value.value if isinstance(assign.value, ast.Constant) else None
            if name in SWITCHES and isinstance(value, bool):
                yield Setting(assign, name, value, new=False)
            elif (name in WIDE or name == OF_MATMUL) and value in ("tf32", "ieee"):
                yield Setting(assign, name, value == "tf32", new=True, wide=name in WIDE)
    for call in code.calls.calls_to(PRECISION):
        given = code.calls.argument(call, "precision", position=0)
        text = code.flow.text_constant(given) if given is not None else ""
        if text in ("highest", "high", "medium"):
            yield Setting(code.statement(call), PRECISION, text != "highest", new=False)


def _reads(code: Code) -> Iterator[tuple[ast.expr, str]]:
    for node in code.of(ast.Attribute):
        name = code.names.resolve(node)
        if name == READ[0] and isinstance(node.ctx, ast.Load):
            yield node, name
    for call in code.calls.calls_to(READ[1]):
        yield call, READ[1]


def _comes_first(code: Code, first: ast.stmt, later: ast.AST) -> bool:
    """Whether one statement runs before the other wherever both run: they are in one function."""
    same = code.tree.enclosing_body(first) is code.tree.enclosing_body(later)
    return (
        same
        and first.lineno < getattr(later, "lineno", 0)
        and not code.flow.are_exclusive(first, later)
    )


def _is_set_again(code: Code, settings: list[Setting], first: Setting) -> bool:
    """Whether a later statement sets a single operation: the old one counts no longer."""
    later = (each for each in settings if each is not first and not each.wide)
    return any(_comes_first(code, first.node, each.node) for each in later)
