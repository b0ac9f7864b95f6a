"""Source code: algorithms are tried out for speed in a run that is to be repeatable."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["torch.backends.cudnn.benchmark"])
def fast_and_repeatable(code: Code) -> Hits:
    for benchmark in _switched_on(code, "torch.backends.cudnn.benchmark"):
        if not _asks_for_repetition(code, benchmark):
            continue
        fix = Fix(say("turn-benchmark-off"), (code.edits.replace(benchmark.value, "False"),))
        says = say("benchmark-undoes-deterministic")
        yield code.hit(benchmark, says, fix=fix)


def _switched_on(code: Code, dotted: str) -> Iterator[ast.Assign]:
    """Statements that set an attribute of torch to True."""
    for assign in code.of(ast.Assign):
        if code.flow.is_constant(assign.value, True) and dotted in map(
            code.names.resolve, assign.targets
        ):
            yield assign


def _asks_for_repetition(code: Code, node: ast.stmt) -> bool:
    """Whether the function of a statement asks for deterministic results too, not only where the
    statement is not reached."""
    asked: list[ast.AST] = [*_switched_on(code, "torch.backends.cudnn.deterministic")]
    calls = code.calls.calls_to("torch.use_deterministic_algorithms")
    asked += [call for call in calls if call.args and code.flow.is_constant(call.args[0], True)]
    home = code.tree.enclosing_body(node)
    return any(
        code.tree.enclosing_body(each) is home and not _excludes(code, each, node) for each in asked
    )


def _excludes(code: Code, one: ast.AST, other: ast.AST) -> bool:
    """Whether one of two nodes runs where a test is true and the other where the same test, said once or twice, is
    not."""
    if code.flow.are_exclusive(one, other):
        return True
    first, second = _tests(code, one), _tests(code, other)
    return any((text, not true) in second for text, true in first)


def _tests(code: Code, node: ast.AST) -> set[tuple[str, bool]]:
    """The tests under which a node runs, and whether they are true there."""
    above = (each for each in code.tree.ancestors(node) if isinstance(each, ast.If))
    return {(ast.unparse(each.test), code.flow.field_of(node, each) == "body") for each in above}
