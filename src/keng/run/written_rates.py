"""Finds the number in the program that is the learning rate of an optimizer."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from keng.model import Fix, Message, Span
from keng.run.step_sizes import TooLarge
from keng.run.user_code import codes

if TYPE_CHECKING:
    from keng.source.code import Code

DEPTH = 4
"""Names from the argument of the constructor to the number."""


def lowered(large: TooLarge, title: Message) -> tuple[Span | None, Fix | None]:
    """Where the program has a learning rate as a number, and the fix that lowers it."""
    found = written_rate(type(large.optimizer), large.rate)
    if found is None:
        return None, None
    code, number = found
    return code.span(number), Fix(title, (code.edits.replace(number, f"{large.wanted:g}"),))


def written_rate(kind: type, rate: float) -> tuple[Code, ast.Constant] | None:
    """The one number that the program's constructor calls of an optimizer class of torch's give as
    `lr`, itself, by a name or as a default. None where several calls give this rate, or where one of
    them gives a rate that is not known."""
    calls = [(code, call) for code in codes() for call in _constructors(code, kind)]
    given = [(code, code.calls.argument(call, "lr", 1)) for code, call in calls]
    found = [(code, _number(code, node, DEPTH)) for code, node in given if node is not None]
    numbers = [(code, node) for code, node in found if node is not None]
    equal = [(code, node) for code, node in numbers if node.value == rate]
    return equal[0] if len(equal) == 1 and len(numbers) == len(found) else None


def _constructors(code: Code, kind: type) -> list[ast.Call]:
    return list(code.calls.calls_to(f"torch.optim.{kind.__name__}"))


def _number(code: Code, node: ast.expr | None, depth: int) -> ast.Constant | None:
    match node:
        case ast.Constant(value=int() | float()):
            return node
        case ast.Name() if depth:
            value = code.flow.assigned_value(node) or code.flow.default_of(node)
            return _number(code, value, depth - 1)
        case ast.Attribute(attr=name) if depth:
            return _number(code, _default_of_option(code, name), depth - 1)
    return None


def _default_of_option(code: Code, name: str) -> ast.expr | None:
    """The default of the one option of argparse that becomes an attribute of that name."""
    options = [call for call in code.calls.method_calls("add_argument") if _is_for(call, name)]
    return code.calls.argument(options[0], "default") if len(options) == 1 else None


def _is_for(call: ast.Call, name: str) -> bool:
    names = [each.value for each in call.args if isinstance(each, ast.Constant)]
    long = [n.lstrip("-").replace("-", "_") for n in names if isinstance(n, str)]
    return name in long and not any(keyword.arg == "dest" for keyword in call.keywords)
