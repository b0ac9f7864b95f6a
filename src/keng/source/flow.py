"""Data flow inside a file: which definitions of a name reach a place, and the constants they hold."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from functools import cached_property

from keng.source.classes import Classes
from keng.source.names import Binding, Names
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, LOOPS, Function, Tree, part_at

OPERATIONS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
ATTENTIVE = frozenset(
    f"torch.nn.{name}"
    for name in (
        *("MultiheadAttention", "Transformer", "TransformerEncoder", "TransformerDecoder"),
        *("TransformerEncoderLayer", "TransformerDecoderLayer"),
    )
)


class Flow:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)

    def of(self, tree: Tree) -> Flow:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Flow, tree)

    def reaching_definitions(self, name: ast.Name) -> list[Binding]:
        """The bindings that may give a name its value where it stands: the nearest one before it
        that is always passed and those on branches since; where there is none, those of the last round."""
        known = self._reaching
        if name not in known:
            known[name] = self._reaching_definitions(name)
        return known[name]

    @cached_property
    def _reaching(self) -> dict[ast.Name, list[Binding]]:
        return {}

    def _reaching_definitions(self, name: ast.Name) -> list[Binding]:
        scope = self.names.lookup(name)
        found = scope.bindings[name.id] if scope else []
        if scope is None or len(found) < 2:
            return found
        if scope.node is not self.names.scope_of(name).node:
            return self._seen_from_function(found, name, scope.node)
        here = self.tree.position(name)
        before = [b for b in found if self.effect_of(b) < here]
        kept: list[Binding] = []
        for binding in reversed(before):
            overwritten = any(self._overwrites(later, binding) for later in kept)
            if overwritten or self.are_exclusive(binding.node, name):
                continue
            kept.append(binding)
            if binding.how != "augment" and self.always_before(binding.node, name):
                break
        else:
            loops = [loop for loop in self.tree.ancestors(name) if self._repeats(loop, name)]
            kept += self._last_round(found, loops, here)
        return kept or found

    def assigned_value(self, node: ast.AST | None) -> ast.expr | None:
        """The value that a name was given as a whole by the one assignment that reaches it."""
        found = self.reaching_definitions(node) if isinstance(node, ast.Name) else []
        plain = len(found) == 1 and found[0].how == "assign" and not found[0].path
        return found[0].value if plain else None

    def _seen_from_function(
        self, found: list[Binding], name: ast.Name, scope: ast.AST
    ) -> list[Binding]:
        """The bindings that a function may find of a name outside of it: it cannot run before it is
        defined, so that what was always bound again by then is gone."""
        around = [a for a in self.tree.ancestors(name) if isinstance(a, FUNCTIONS)]
        defined = [a for a in around if a is not scope and self.tree.within(a, scope)]
        if not defined:
            return found
        here = self.tree.position(defined[-1])
        before = [b for b in found if b.how != "augment" and self.effect_of(b) < here]
        gone = [b for b in before if self.always_before(b.node, defined[-1])]
        return found[found.index(gone[-1]) :] if gone else found

    def effect_of(self, binding: Binding) -> tuple[int, int]:
        """Where a binding takes effect: after the whole statement for an assignment."""
        known = self._effects
        if binding.node not in known:
            known[binding.node] = self._effect_of(binding.node)
        return known[binding.node]

    @cached_property
    def _effects(self) -> dict[ast.AST, tuple[int, int]]:
        return {}

    def _effect_of(self, bound: ast.AST) -> tuple[int, int]:
        by = self.tree.statement(bound) if isinstance(bound, ast.Name) else bound
        if isinstance(by, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return (by.end_lineno or 0, by.end_col_offset or 0)
        return self.tree.position(bound)

    def always_before(self, node: ast.AST, use: ast.AST) -> bool:
        """Whether a binding is passed on every way to `use`: its block holds `use` too."""
        if isinstance(node, ast.arg):
            return True
        statement = self.tree.statement(node)
        if isinstance(statement, (*LOOPS, ast.With, ast.AsyncWith)) and self.tree.within(
            use, statement
        ):
            return self.field_of(use, statement) == "body"
        block = self.tree.parent.get(statement)
        while isinstance(block, (ast.With, ast.AsyncWith)) and not self._swallows(block):
            block = self.tree.parent.get(block)
        if block is None or not self.tree.within(use, block):
            return False
        has_arms = isinstance(block, (ast.If, ast.Try, *LOOPS))
        return not has_arms or self.field_of(node, block) == self.field_of(use, block)

    def _swallows(self, block: ast.With | ast.AsyncWith) -> bool:
        made = [getattr(item.context_expr, "func", None) for item in block.items]
        return "contextlib.suppress" in map(self.names.resolve, made)

    def field_of(self, node: ast.AST, block: ast.AST) -> str:
        """The field of a compound statement under which a node stands."""
        child = node
        for above in self.tree.ancestors(node):
            if above is block:
                break
            child = above
        for name in ("body", "orelse", "handlers", "finalbody"):
            if child in getattr(block, name, ()):
                return name
        return "test"

    def siblings(self, child: ast.AST, above: ast.AST) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The statements before and behind a statement in the block of its parent."""
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and child in block:
                at = block.index(child)
                return block[:at], block[at + 1 :]
        return [], []

    def are_exclusive(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether two nodes stand in different arms of one if, so that only one of them runs."""
        for above in self.tree.ancestors(one):
            if isinstance(above, ast.If) and self.tree.within(other, above):
                return {self.field_of(one, above), self.field_of(other, above)} == {
                    "body",
                    "orelse",
                }
        return False

    def _overwrites(self, later: Binding, binding: Binding) -> bool:
        """Whether a binding is always followed by another one: the block of that holds it too."""
        statement = self.tree.statement(later.node)
        block = self.tree.parent.get(statement)
        if later.how != "assign" or block is None or isinstance(block, (*FUNCTIONS, ast.Try)):
            return False
        inside = self.tree.within(binding.node, block) and binding.node is not block
        return inside and self.field_of(binding.node, block) == self.field_of(statement, block)

    def carried_definitions(self, name: ast.Name) -> list[Binding]:
        """The bindings behind a name that a round of its loops leaves for the next one, where the name
        had another value before the loop."""
        scope = self.names.lookup(name)
        if scope is None or scope.node is not self.names.scope_of(name).node:
            return []
        before = [b.node for b in self.reaching_definitions(name)]
        loops = [
            loop
            for loop in self.tree.ancestors(name)
            if self._repeats(loop, name) and not any(self.tree.within(b, loop) for b in before)
        ]
        return self._last_round(scope.bindings[name.id], loops, self.tree.position(name))

    def _repeats(self, loop: ast.AST, node: ast.AST) -> bool:
        """Whether a node is evaluated in each round of a loop: in its body, or in the test of `while`."""
        if not isinstance(loop, LOOPS):
            return False
        field = self.field_of(node, loop)
        return field == "body" or (isinstance(loop, ast.While) and field == "test")

    def _last_round(
        self, found: list[Binding], loops: list[ast.AST], here: tuple[int, int]
    ) -> list[Binding]:
        """The bindings behind a place that the rounds of its loops leave for the next one."""
        return [
            b
            for b in (found if loops else ())
            if self.effect_of(b) >= here and any(self.tree.within(b.node, loop) for loop in loops)
        ]

    def dict_items(self, holder: ast.expr) -> dict[object, ast.expr]:
        """What the dictionary, or ModuleDict of one, holds that a name or an attribute of `self` was
        given, as far as it is written out and stays so."""
        ways: list[tuple[ast.AST | None, tuple[int, ...]]] = []
        if isinstance(holder, ast.Name):
            ways = [(b.value, b.path) for b in self.reaching_definitions(holder)]
        elif isinstance(holder, ast.Attribute) and (owner := self.classes.self_class(holder.value)):
            ways = list(self.classes.attributes(owner).get(holder.attr, []))
        made, path = ways[0] if len(ways) == 1 else (None, ())
        if isinstance(made, ast.Call) and self.names.resolve(made.func) == "torch.nn.ModuleDict":
            made = made.args[0] if made.args else None
        if not isinstance(made, ast.Dict) or path or ast.unparse(holder) in self._refilled:
            return {}
        keys = [key.value if isinstance(key, ast.Constant) else key for key in made.keys]
        return dict(zip(keys, made.values, strict=True))

    def table_entries(self, function: ast.expr) -> list[ast.expr]:
        """What is called by `TABLE[name](...)`: each entry of the dictionary may be."""
        table = function.value if isinstance(function, ast.Subscript) else None
        return list(self.dict_items(table).values()) if table is not None else []

    @cached_property
    def _refilled(self) -> set[str]:
        """What is given items one by one, as text."""
        return {
            ast.unparse(item.value)
            for item in self.tree.nodes(ast.Subscript)
            if not isinstance(item.ctx, ast.Load)
        }

    def values_given(self, node: ast.expr) -> Iterator[ast.expr | None]:
        """What a name, or an attribute of `self`, is set to."""
        given = (
            [(b.value, b.path) for b in self.reaching_definitions(node)]
            if isinstance(node, ast.Name)
            else []
        )
        if (
            isinstance(node, ast.Attribute)
            and (owner := self.classes.self_class(node.value)) is not None
        ):
            given = self.classes.attributes(owner).get(node.attr, [])
        yield from (part_at(*each) for each in given)

    def is_true(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and node.value is True

    def is_constant(self, node: ast.AST | None, value: object) -> bool:
        return isinstance(node, ast.Constant) and node.value is value

    def default_of(self, name: ast.Name) -> ast.expr | None:
        """The default of an argument that a name is, and nothing else."""
        found = self.reaching_definitions(name)
        function = self.tree.enclosing_function(found[0].node) if len(found) == 1 else None
        if function is None or found[0].how != "argument":
            return None
        return self.default_of_argument(function, found[0].node)

    def default_of_argument(self, function: Function, argument: ast.AST) -> ast.expr | None:
        plain, only = function.args.defaults, function.args.kwonlyargs
        given = [*function.args.posonlyargs, *function.args.args]
        pairs = [
            *zip(given[len(given) - len(plain) :], plain, strict=True),
            *zip(only, function.args.kw_defaults, strict=True),
        ]
        return next((default for each, default in pairs if each is argument), None)

    def receiver_made_by(self, call: ast.Call) -> ast.Call | None:
        """The one call that gave a name what a method is called on: `with Pool() as pool`."""
        receiver = self.tree.receiver(call)
        found = self.reaching_definitions(receiver) if isinstance(receiver, ast.Name) else []
        made = found[0].value if len(found) == 1 and not found[0].path else None
        return made if isinstance(made, ast.Call) else None

    def text_constant(self, node: ast.AST | None) -> str:
        """The text of a string literal."""
        constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return str(node.value) if constant and isinstance(node, ast.Constant) else ""

    def number(self, node: ast.expr | None) -> int | None:
        """The value of an expression of plain numbers, or of a name that is given one once."""
        if isinstance(node, ast.Name):
            node = self.assigned_value(node)
        return whole_number(node) if node is not None else None

    def call_behind(self, node: ast.expr | None) -> ast.Call | None:
        """A call, or that which a name was given."""
        if isinstance(node, ast.Name):
            node = self.assigned_value(node)
        return node if isinstance(node, ast.Call) else None

    def values_added(self, name: ast.Name) -> list[ast.expr]:
        """What is added to a list somewhere in the body that its name is in."""
        found: list[ast.expr] = []
        for node in self.tree.descendants(self.tree.enclosing_body(name), ast.Call, ast.AugAssign):
            match node:
                case (
                    ast.Call(
                        func=ast.Attribute(attr="append" | "extend", value=ast.Name(id=held)),
                        args=[added],
                    )
                    | ast.AugAssign(target=ast.Name(id=held), value=added)
                ):
                    found += [added] if held == name.id else []
        return found

    def reads_of(self, stored: ast.Name) -> list[ast.Name]:
        """The places that may read what one assignment gives a name."""
        reads = [n for n in self.tree.names_by_id[stored.id] if isinstance(n.ctx, ast.Load)]
        return [n for n in reads if any(b.node is stored for b in self.reaching_definitions(n))]


def text_root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def whole_number(node: ast.expr) -> int | None:
    """The value of an expression of plain numbers (`8 * 26 * 26`)."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.BinOp(
            left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() as op, right=right
        ):
            one, other = whole_number(left), whole_number(right)
            if one is None or other is None or (isinstance(op, ast.FloorDiv) and other == 0):
                return None
            return OPERATIONS[type(op)](one, other)
    return None


def integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = whole_number(node.operand)
        return -number if number is not None else None
    return whole_number(node)
