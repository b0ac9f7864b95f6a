"""Source code: a learning rate is set in the first group of an optimizer, and the others keep theirs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind

OF_ALL_GROUPS = re.compile(
    r"(?:set|adjust|update|change|decay|schedule|anneal|step|warm_?up)\w*(?:lr|rate)|(?:lr|rate)_?(?:sched|decay|step)|warm_?up",
    re.IGNORECASE,
)
OF_ONE_GROUP = re.compile(r"group|backbone|encoder|head|body|first|base", re.IGNORECASE)
"""Words of functions that mean one group of several."""


@finds(fixes=True)
def others_keep_theirs(code: Code) -> Hits:
    for statement, optimizer, target in _first_group_alone(code):
        name = code.text_of(optimizer)
        says = say("has-several-groups-rate", optimizer=name)
        fix = None
        if target is not None:
            indent = code.edits.indentation(statement)
            deeper = indent + ("\t" if "\t" in indent else "    ")
            rest = code.text_of(statement).removeprefix(code.text_of(target))
            text = f'for group in {name}.param_groups:{code.edits.newline}{deeper}group["lr"]{rest}'
            fix = Fix(say("set-each-group"), (code.edits.replace(statement, text),))
        yield code.hit(statement, says, fix)


def _first_group_alone(code: Code) -> Iterator[tuple[ast.stmt, ast.expr, ast.expr | None]]:
    """Rates that are set in the first group of an optimizer only, which has several that are to follow:
    the statement, the optimizer, and where the groups have the same rate the target in it."""
    found = list(_rates_set(code))
    if any(groups is None for _, groups, _ in found):
        return
    for statement, groups, target in found:
        optimizer = groups.value if groups is not None else None
        rates = _rates_of_groups(code, optimizer) if optimizer is not None else []
        if optimizer is None or len(rates) < 2 or "0" in rates or "0.0" in rates:
            continue
        function = code.tree.enclosing_function(statement)
        name = function.name if function is not None else ""
        of_all = OF_ALL_GROUPS.search(name) and not OF_ONE_GROUP.search(name)
        if len(set(rates)) == 1 or of_all:
            alike = isinstance(target.value, ast.Subscript) and len(set(rates)) == 1
            direct = alike and _has_its_line(code, statement)
            yield statement, optimizer, target if direct else None


def _has_its_line(code: Code, statement: ast.stmt) -> bool:
    _, end = code.tree.bounds(statement)
    behind = code.tree.data[end:].lstrip(b" \t")
    return code.edits.starts_line(statement) and not behind.startswith(b";")


def _rates_set(code: Code) -> Iterator[tuple[ast.stmt, ast.Attribute | None, ast.Subscript]]:
    """Where the rate of a group is set, with the `param_groups` of which it is the first, or None."""
    for target in code.of(ast.Subscript):
        stored = isinstance(target.ctx, ast.Store)
        if not stored or not isinstance(target.slice, ast.Constant):
            continue
        if target.slice.value == "lr":
            group = code.flow.assigned_value(target.value) or target.value
            first = isinstance(group, ast.Subscript) and code.flow.number(group.slice) == 0
            groups = group.value if isinstance(group, ast.Subscript) and first else None
            named = isinstance(groups, ast.Attribute) and groups.attr == "param_groups"
            told = groups if isinstance(groups, ast.Attribute) and named else None
            yield code.statement(target), told, target


def _rates_of_groups(code: Code, optimizer: ast.expr) -> list[str]:
    """The rates of the groups that an optimizer is made with, as text; nothing where not known."""
    made = code.types.value_of(optimizer)
    if made.kind is not Kind.OPTIMIZER or made.call is None or made.call not in code.tree.parent:
        return []
    given = code.calls.argument(made.call, "params", 0)
    groups = code.flow.assigned_value(given) or given
    listed = groups.elts if isinstance(groups, (ast.List, ast.Tuple)) else []
    found: list[str] = []
    for group in listed:
        if not isinstance(group, ast.Dict):
            return []
        keys = {
            k.value: v
            for k, v in zip(group.keys, group.values, strict=True)
            if isinstance(k, ast.Constant)
        }
        found.append(ast.unparse(keys["lr"]) if "lr" in keys else "")
    return found
