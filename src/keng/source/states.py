"""State dicts and what is saved."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.calls import Calls
from keng.source.flow import Flow
from keng.source.modes import Modes
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind
from keng.source.types.tables import PARALLEL

ASKS = frozenset(["builtins.hasattr", "builtins.isinstance", "torch.is_tensor"])
"""Functions that tell what an object is."""


class States:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self.modes = trees.ask(Modes, tree)

    def of(self, tree: Tree) -> States:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(States, tree)

    def wrapped_by(self, model: ast.expr) -> str:
        """The attribute under which the wrapper of a model holds it, "module" or "_orig_mod"; nothing
        where it is not known to be wrapped."""
        value = self.types.value_of(model)
        if value.dotted in PARALLEL:
            return "module"
        call = value.call
        compiled = call is not None and call in self.tree.parent
        if compiled and value.kind is Kind.MODULE and self._compiles(call):
            return "_orig_mod"
        return ""

    def _compiles(self, call: ast.Call | None) -> bool:
        return call is not None and self.names.resolve(call.func) == "torch.compile"

    def saves(self) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
        """Calls of torch.save, and what they save: one expression, or the values of a dict, which may
        have been given a name before."""
        for call in self.calls.calls_to("torch.save"):
            given = self.calls.argument(call, "obj", position=0)
            if given is not None:
                yield call, self._entries(given)

    def _entries(self, saved: ast.expr) -> list[ast.expr]:
        if isinstance(saved, ast.Name):
            value = self.flow.assigned_value(saved)
            if isinstance(value, ast.Dict) or (
                isinstance(value, ast.Call) and self.types.kind_of(saved) is Kind.UNKNOWN
            ):
                return self._entries(value)
        if isinstance(saved, ast.Dict):
            return saved.values
        if isinstance(saved, ast.Call) and self.names.resolve(saved.func) == "builtins.dict":
            return [keyword.value for keyword in saved.keywords]
        return [saved]

    def parsed_arguments(self, node: ast.expr) -> bool:
        """Whether a value is the Namespace that `parse_args()` gives."""
        if not isinstance(node, ast.Name):
            return False
        ways = [
            b.value
            for b in self.flow.reaching_definitions(node)
            if b.how == "assign" and not b.path
        ]
        return bool(ways) and all(
            isinstance(way, ast.Call)
            and isinstance(way.func, ast.Attribute)
            and way.func.attr == "parse_args"
            for way in ways
        )

    def asked(self, node: ast.AST) -> bool:
        """Whether a test around a node asks what the object is."""
        tests = [
            above.test
            for above in self.tree.ancestors(node)
            if isinstance(above, (ast.If, ast.IfExp))
        ]
        calls = [call for test in tests for call in ast.walk(test) if isinstance(call, ast.Call)]
        names = {self.names.resolve(call.func) for call in calls}
        return bool(names & ASKS) or self.modes.in_try_or_raises(node)
