"""Source code: gradients are switched by an attribute that nobody reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, Severity, say
from keng.pitfalls.autograd.require_grad_typo._shared import TYPOS
from keng.rules import finds
from keng.source import Code
from keng.source.types.kinds import MODULES


@finds(fixes=True, mentions=TYPOS)
def attribute_that_nobody_reads(code: Code) -> Hits:
    for target in _attributes_only_set(code, *TYPOS):
        name = code.text_of(target.value)
        fix = Fix(
            say("write-requires-grad"), (code.edits.rename_attribute(target, "requires_grad"),)
        )
        says = say("new-attribute-counts", typo=target.attr, name=name)
        anyway = _is_switched_off_anyway(code, target) or _is_on_anyway(code, target)
        level: Severity | None = "hint" if anyway else None
        yield code.hit(target, says, fix=fix, level=level)


def _is_on_anyway(code: Code, target: ast.Attribute) -> bool:
    """Whether gradients are asked for of what a loop over parameters gives, and nothing in the file turns them off."""
    statement = code.statement(target)
    if not (isinstance(statement, ast.Assign) and code.flow.is_constant(statement.value, True)):
        return False
    loops = [
        loop for loop, name in code.modes.parameter_loops() if code.text_of(target.value) == name
    ]
    return bool(loops) and all(code.modes.grad_switches(code.tree.root))


def _is_switched_off_anyway(code: Code, target: ast.Attribute) -> bool:
    """Whether a call turns gradients off for a tensor that was made by a function which asks for none."""
    statement = code.statement(target)
    if not (isinstance(statement, ast.Assign) and code.flow.is_constant(statement.value, False)):
        return False
    made = [code.names.resolve(m.func) for m in _making(code, target.value)]
    return bool(made) and all(
        name.startswith("torch.") and not name.startswith("torch.nn.") for name in made
    )


def _making(code: Code, owner: ast.expr) -> Iterator[ast.Call]:
    """The calls that give a name, or an attribute of `self`, its value, alone or with others."""
    ways: list[ast.AST | None] = []
    if isinstance(owner, ast.Name):
        ways = [binding.value for binding in code.flow.reaching_definitions(owner)]
    elif isinstance(owner, ast.Attribute):
        stored = [
            a for a in code.tree.attributes_by_name[owner.attr] if isinstance(a.ctx, ast.Store)
        ]
        ways = [getattr(code.statement(a), "value", None) for a in stored]
    for way in ways:
        if isinstance(way, ast.Call) and code.names.resolve(way.func):
            yield way


@finds(fixes=True, mentions=["requires_grad_"])
def method_that_is_overwritten(code: Code) -> Hits:
    for target in _overwritten(code, "requires_grad_"):
        name = code.text_of(target.value)
        fix = Fix(
            say("write-requires-grad"), (code.edits.rename_attribute(target, "requires_grad"),)
        )
        yield code.hit(target, say("method-loses", name=name), fix)


@finds(fixes=True, mentions=["requires_grad"])
def switch_that_a_module_lacks(code: Code) -> Hits:
    for target, value in _switches_on_modules(code):
        name, to = code.text_of(target.value), code.text_of(value)
        edit = code.edits.replace(code.statement(target), f"{name}.requires_grad_({to})")
        says = say("module-has-no-parameters", name=name)
        yield code.hit(target, says, fix=Fix(say("call-requires-grad"), (edit,)))


def _overwritten(code: Code, method: str) -> Iterator[ast.Attribute]:
    """Where something is assigned to what is the name of a method."""
    named = code.tree.attributes_by_name.get(method, ())
    yield from (a for a in named if isinstance(a.ctx, ast.Store))


def _attributes_only_set(code: Code, *names: str) -> Iterator[ast.Attribute]:
    """Attributes of these names that are set in this file and never read in it."""
    for name in names:
        named = code.tree.attributes_by_name.get(name, ())
        if all(isinstance(a.ctx, ast.Store) for a in named):
            yield from named


def _switches_on_modules(code: Code) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """`requires_grad` that is set on a module, which has no such switch and says nothing; and what
    it is set to."""
    for assign in code.of(ast.Assign):
        match assign.targets:
            case [ast.Attribute(attr="requires_grad", value=module) as target]:
                value = code.types.value_of(module)
                own = value.definition and value.definition.tree.text_of(value.definition.node)
                if value.kind in MODULES and "requires_grad" not in (own or ""):
                    yield target, assign.value
