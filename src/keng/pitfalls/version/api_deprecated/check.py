"""Source code: a name of PyTorch that was renamed, replaced or taken away is still in use."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache, partial
from typing import NamedTuple

from keng.model import Edit, Fix, Hit, Hits, Safety, say
from keng.pitfalls.version._shared_names import told_of_old
from keng.rules import finds
from keng.source import Code, Kind
from keng.tables.removed_symbols import GONE_MODULES, OLD_NAMES, written_now

PATTERN = re.compile(r"([\w.]+)(?:\((.*)\))?")
COMPARES = re.compile(r"version|hasattr|TORCH|is_torch|_available|PT\d", re.IGNORECASE)
"""How a test names that asks which torch is there."""


class NewCall(NamedTuple):
    """How a call is written now: a dotted name, what comes before and after the arguments, what those
    given by position are called ("" where they stay so), and whether more of them may follow."""

    dotted: str
    head: str
    names: tuple[str, ...]
    tail: str
    more: bool


NAMES = frozenset(OLD_NAMES)


@finds(fixes=True, mentions=NAMES)
def old_name(code: Code) -> Hits:
    for node, name in _uses_of_names(code, NAMES):
        old = OLD_NAMES[name]
        if (
            code.torch_at_least(old.since) is False
            or _guarded(code, node)
            or _belongs_to(code, name)
        ):
            continue
        if not old.removed and _only_named(code, node):
            continue
        fix = None
        if old.safety:
            title = say("write-new", new=old.new)
            fix = _rewritten(code, node, written_now, title, old.safety)
        yield _hit(code, node, name, fix)


@finds
def old_import(code: Code) -> Hits:
    gone = _imports_of(code, GONE_MODULES)
    for node, name in (*_unused_imports(code, OLD_NAMES, GONE_MODULES), *gone):
        old = OLD_NAMES[name]
        apart = _guarded(code, node) or _belongs_to(code, name)
        if code.torch_at_least(old.since) is not False and not apart:
            yield _hit(code, node, name)


@finds(fixes=True, mentions=["torch.meshgrid"])
def unsaid_order(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.meshgrid"):
        spread = any(k.arg in ("indexing", None) for k in call.keywords)
        if spread or code.torch_at_least("1.10") is False or _guarded(code, call):
            continue
        fix = code.edits.add_argument(call, 'indexing="ij"', say("order-said"), "safe")
        yield code.hit(call, say("order-meant-said-indexing"), fix=fix, level="hint", once=True)


def _hit(code: Code, node: ast.AST, name: str, fix: Fix | None = None) -> Hit:
    """A hint, but where the program may run on a torch that no longer has the name."""
    old = OLD_NAMES[name]
    fails = bool(old.removed) and code.torch_may_be(old.removed)
    says = told_of_old(old, name)
    return code.hit(node, says, fix, sure=old.loud, level=None if fails else "hint", once=True)


def _uses_of_names(code: Code, names: frozenset[str]) -> Iterator[tuple[ast.expr, str]]:
    """The places that read one of these dotted names, and methods `torch.Tensor.NAME` of tensors."""
    lasts = _last_parts(names)
    for last, attributes in code.tree.attributes_by_name.items():
        for attribute in attributes if last in lasts else ():
            if dotted := _one_of(code, attribute, names):
                yield attribute, dotted
    imported = {binding.name for binding in code.names.import_bindings if binding.dotted in names}
    for name in code.of(ast.Name) if imported else ():
        if name.id in imported and (dotted := _one_of(code, name, names)):
            yield name, dotted


def _one_of(code: Code, node: ast.Attribute | ast.Name, names: Collection[str]) -> str:
    if not isinstance(node.ctx, ast.Load):
        return ""
    dotted = code.edits.dotted_as_written(node)
    called = isinstance(node, ast.Attribute) and isinstance(code.tree.parent[node], ast.Call)
    method = f"torch.Tensor.{node.attr}" if isinstance(node, ast.Attribute) else ""
    if called and not dotted and method in names and isinstance(node, ast.Attribute):
        dotted = method if code.types.kind_of(node.value) is Kind.TENSOR else ""
    return dotted if dotted in names else ""


def _belongs_to(code: Code, dotted: str) -> bool:
    """Whether this is a file of the package that a name belongs to."""
    return code.tree.module.partition(".")[0] == dotted.partition(".")[0]


def _only_named(code: Code, node: ast.expr) -> bool:
    """Whether a function is spoken of and not used: an entry of a table, or what another is
    compared with."""
    above = code.tree.parent[node]
    while isinstance(above, (ast.Tuple, ast.List)):
        node, above = above, code.tree.parent[above]
    listed = isinstance(node, (ast.Tuple, ast.List)) or isinstance(above, (ast.Set, ast.Dict))
    return listed or isinstance(above, ast.Compare)


def _unused_imports(
    code: Code, names: Collection[str], modules: Collection[str]
) -> Iterator[tuple[ast.alias, str]]:
    """From-imports of one of these names that the file never reads, or from one of these modules."""
    for statement in code.of(ast.ImportFrom):
        module = code.names.absolute(statement)
        for alias in statement.names:
            dotted = f"{module}.{alias.name}"
            old = dotted if dotted in names else module if module in modules else ""
            named = alias.asname or alias.name
            if old and (old == module or named not in code.tree.names_by_id):
                yield alias, old


def _imports_of(code: Code, names: Collection[str]) -> Iterator[tuple[ast.alias, str]]:
    """The statements `import NAME` of one of these modules."""
    for statement in code.of(ast.Import):
        for alias in statement.names:
            if alias.name in names:
                yield alias, alias.name


def _guarded(code: Code, node: ast.AST) -> bool:
    """Whether a place is reached only after asking which torch is there: under `try`, in the arm of
    an `if` on a version, or behind one that returns."""
    child = node
    for above in code.tree.ancestors(node):
        if isinstance(above, (ast.Try, ast.ExceptHandler)):
            return True
        if isinstance(above, (ast.If, ast.IfExp)) and _compares(code, above.test):
            return True
        before, behind = code.flow.siblings(child, above)
        if isinstance(child, ast.Assign) and any(_sets_anew(code, s, child) for s in behind):
            return True
        if any(map(partial(_holds_back, code), before)):
            return True
        child = above
    return False


def _holds_back(code: Code, statement: ast.stmt) -> bool:
    """Whether a statement lets only some versions of torch pass."""
    match statement:
        case ast.Assert():
            return _compares(code, statement.test)
        case ast.If(body=[*_, ast.Return() | ast.Raise()]):
            return _compares(code, statement.test)
    return False


def _sets_anew(code: Code, statement: ast.stmt, assigned: ast.Assign) -> bool:
    """Whether an `if` that asks for a version gives another value to what was just assigned."""
    if not isinstance(statement, ast.If) or not _compares(code, statement.test):
        return False
    text = ast.unparse(assigned.targets[0])
    inner = [t for s in code.below(statement, ast.Assign) for t in s.targets]
    return text in map(ast.unparse, inner)


def _compares(code: Code, test: ast.expr) -> bool:
    return COMPARES.search(ast.unparse(test)) is not None


def _rewritten(
    code: Code, node: ast.expr, new: Callable[[str], str], title: str, safety: Safety
) -> Fix | None:
    """A fix that writes a name, and the arguments of its calls, as `new` says for its dotted name
    (""  where nothing can be written): at this place, or, where it was imported from a module, in
    the import and at every place that reads what it imports."""
    if isinstance(node, ast.Name):
        edits = _import_rewritten(code, node, new)
    else:
        edits = _place_rewritten(code, node, _new_call(new(code.edits.dotted_as_written(node))))
    return Fix(title, tuple(edits), safety) if edits else None


def _place_rewritten(code: Code, node: ast.expr, to: NewCall) -> list[Edit]:
    name = code.edits.qualified_name(to.dotted, node)
    arguments = _arguments_rewritten(code, node, to)
    return [code.edits.replace(node, name), *arguments] if name and arguments is not None else []


def _import_rewritten(code: Code, node: ast.Name, new: Callable[[str], str]) -> list[Edit]:
    """Rewrites the from-import that a name comes from, if all that it imports has one new home."""
    statement = code.names.bindings(node)[0].node
    if not isinstance(statement, ast.ImportFrom) or len(code.names.bindings(node)) != 1:
        return []
    module = code.names.absolute(statement)
    calls = {alias: new(f"{module}.{alias.name}") for alias in statement.names}
    if not all(calls.values()):
        calls = {alias: text for alias, text in calls.items() if text}
        if any(_new_call(text).dotted.rpartition(".")[0] != module for text in calls.values()):
            return []
    to = {alias: _new_call(text) for alias, text in calls.items()}
    homes = {call.dotted.rpartition(".")[0] for call in to.values()}
    edits = _module_replaced(code, statement, homes.pop()) if len(homes) == 1 else []
    for alias, call in to.items() if edits else ():
        edits += _alias_replaced(code, alias, call)
        for use in _reads(code, alias, statement):
            arguments = _arguments_rewritten(code, use, call)
            if arguments is None:
                return []
            edits += arguments
    return edits


def _reads(code: Code, alias: ast.alias, by: ast.ImportFrom) -> list[ast.Name]:
    """The places that read what an import binds."""
    named = alias.asname or alias.name
    names = [n for n in code.of(ast.Name) if n.id == named]
    return [n for n in names if [b.node for b in code.names.bindings(n)] == [by]]


def _module_replaced(code: Code, statement: ast.ImportFrom, home: str) -> list[Edit]:
    start, _ = code.tree.bounds(statement)
    written = (statement.module or "").encode()
    at = code.tree.data.index(written, start)
    return [Edit(at, at + len(written), home)]


def _alias_replaced(code: Code, alias: ast.alias, to: NewCall) -> list[Edit]:
    last = to.dotted.rpartition(".")[2]
    if last == alias.name:
        return []
    return [code.edits.replace(alias, f"{last} as {alias.asname or alias.name}")]


def _arguments_rewritten(code: Code, node: ast.expr, to: NewCall) -> list[Edit] | None:
    """The edits to the arguments of a call of `node`; None where they do not fit, or where it is
    not called at all and would have to be."""
    call = code.tree.parent[node]
    if not isinstance(call, ast.Call) or call.func is not node:
        decorates = node in getattr(call, "decorator_list", ())
        if to.head or to.names or (to.tail and not decorates):
            return None
        return [code.edits.append(node, f"({to.tail})")] if to.tail else []
    more = len(call.args) > len(to.names) or any(k.arg not in to.names for k in call.keywords)
    if (more and not to.more) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return _arguments_named(code, call, to)


def _arguments_named(code: Code, call: ast.Call, to: NewCall) -> list[Edit]:
    given = bool(call.args or call.keywords)
    start, end = code.tree.bounds(call.func)[1], code.tree.bounds(call)[1] - 1
    opening = code.tree.data.index(b"(", start) + 1
    lead = f"{to.head}, " if to.head and to.head != "[" and given else to.head
    names = [f"{name}=" if name else "" for name in to.names[: len(call.args)]]
    starts = [code.tree.bounds(value)[0] for value in call.args]
    firsts = [(at, text) for at, text in zip(starts, names, strict=False) if text]
    if lead and firsts and firsts[0][0] == starts[0]:
        firsts[0] = (starts[0], lead + names[0])
    elif lead:
        firsts.insert(0, (opening, lead))
    edits = [Edit(at, at, text) for at, text in firsts]
    if to.tail:
        lead = ", " if given and to.tail != "]" else ""
        stripped = len(code.tree.data[:end].rstrip())
        if lead and code.tree.data[:stripped].endswith(b","):
            lead = " "
        edits.append(Edit(stripped, stripped, f"{lead}{to.tail}"))
    return edits


def _new_call(pattern: str) -> NewCall:
    """Reads `name(head, _, x=_, ..., tail)`; see keng.tables.removed_symbols."""
    match = PATTERN.fullmatch(pattern)
    assert match is not None, f"{pattern} is no call"
    if match[2] is None:
        return NewCall(match[1], "", (), "", True)
    if match[2] == "[...]":
        return NewCall(match[1], "[", ("",) * 9, "]", False)
    items = match[2].split(", ")
    taken = [n for n, item in enumerate(items) if item.endswith("_") or item == "..."]
    names = [items[n].removesuffix("_").removesuffix("=") for n in taken if items[n] != "..."]
    head, tail = items[: taken[0]], items[taken[-1] + 1 :]
    return NewCall(match[1], ", ".join(head), tuple(names), ", ".join(tail), "..." in items)


@cache
def _last_parts(names: frozenset[str]) -> frozenset[str]:
    """Of dotted names."""
    return frozenset(name.rpartition(".")[2] for name in names)
