"""What several pitfalls of training ask of source code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Edit
from keng.source import Act, Code, Kind, Step
from keng.source.code import once_per_file
from keng.source.loops import Round
from keng.source.tree import LOOPS

MICRO = re.compile(r"accum|micro", re.IGNORECASE)


def called_model(code: Code, step: Step) -> ast.expr | None:
    """The model that a forward step of this file calls, where it is one with parts."""
    if not isinstance(step.call, ast.Call) or step.call not in code.tree.parent:
        return None
    value = code.types.value_of(step.call.func)
    layer = value.dotted.startswith("torch.nn.") and value.dotted != "torch.nn.Sequential"
    return None if value.kind is not Kind.MODULE or layer else step.call.func


@once_per_file
def training_rounds(code: Code) -> list[Round]:
    """The training loops of a file, and its functions that take steps of their own."""
    return [*code.loops.training, *_training_functions(code)]


def _training_functions(code: Code) -> Iterator[Round]:
    for function in code.of(ast.FunctionDef):
        if code.loops.may_go_backward(function):
            steps = Round(code.loops, function)
            loops = [s for s in steps.own(Act.BACKWARD) if code.around(s.call, *LOOPS)]
            if steps.trains and not loops:
                yield steps


def holds(model: str, part: str) -> bool:
    """Whether a model, as text, is another or has it for a part."""
    return part == model or part.startswith((f"{model}.", f"{model}["))


def beside(one: Step, block: Round, *acts: Act) -> tuple[Step, Step]:
    """The steps of some acts before and behind one, as the rounds continue."""
    steps = [step for step in block.steps if step is one or step.act in acts]
    at = next(n for n, step in enumerate(steps) if step is one)
    return steps[at - 1], steps[(at + 1) % len(steps)]


def line_after(code: Code, node: ast.AST, text: str) -> Edit | None:
    """A line of its own after the statement of a node; None where that shares its lines."""
    statement = code.statement(node)
    if not code.edits.starts_line(statement) or code.edits.followed(statement):
        return None
    end = statement.end_lineno or statement.lineno
    line = code.source.line(end)
    at = code.source.offset(end, 0) + len(line.rstrip("\r\n").encode())
    return Edit(at, at, f"{code.edits.newline}{code.edits.indentation(statement)}{text}")


def moved_below(code: Code, statement: ast.stmt, other: ast.stmt) -> tuple[Edit, ...] | None:
    """The edits that move a statement below another one, at the depth of that; None where either shares
    its lines, or where lines of it would have another depth."""
    below = line_after(code, other, code.text_of(statement))
    alone = code.edits.starts_line(statement) and not code.edits.followed(statement)
    last = statement.end_lineno or statement.lineno
    as_deep = code.edits.indentation(statement) == code.edits.indentation(other)
    if below is None or not alone or not (as_deep or last == statement.lineno):
        return None
    start, stop = (code.source.offset(n, 0) for n in (statement.lineno, last + 1))
    return Edit(start, stop, ""), below


def blocks_around(code: Code, node: ast.AST) -> Iterator[tuple[ast.stmt, ast.AST, str]]:
    """The statements around a node within its function, the inner first: each with the node whose
    block it is in, and the field of that block."""
    statement: ast.AST = code.statement(node)
    scope = code.tree.enclosing_body(node)
    while statement is not scope:
        above = code.tree.parent[statement]
        if isinstance(statement, ast.stmt):
            yield statement, above, code.flow.field_of(statement, above)
        statement = above
