"""Distributed programs: wrappers, ranks, and the code that only some of them run."""

from __future__ import annotations

import ast
from functools import cached_property

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind

WORLD_SIZE = "torch.distributed.get_world_size"
WRAPS = (
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.distributed.DistributedDataParallel",
)


class Processes:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Processes:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Processes, tree)

    @cached_property
    def wraps(self) -> list[ast.Call]:
        """The calls that wrap a model in DistributedDataParallel."""
        return list(self.calls.calls_to(*WRAPS))

    @cached_property
    def is_distributed(self) -> bool:
        """Whether the file sets up the processes of a run, or wraps or prepares a model for them."""
        begins = self.calls.calls_to("torch.distributed.init_process_group")
        prepared = any(map(self.accelerates, self.calls.method_calls("prepare")))
        return bool(self.wraps) or any(map(self._may_run, begins)) or prepared

    def _may_run(self, call: ast.Call) -> bool:
        """Whether anything mentions the function that a call is in, or calls it from another file."""
        function = self.tree.enclosing_function(call)
        if function is None or isinstance(self.tree.parent[function], ast.ClassDef):
            return True
        mentioned = bool(self.tree.names_by_id.get(function.name))
        return mentioned or any(True for _ in self.types.callers(function))

    def ranks_executing(self, node: ast.AST, depth: int = 3) -> bool:
        """Whether a place belongs to a program of several processes: by its own file, or by those that
        call the function around it."""
        if self.is_distributed:
            return True
        function = self.tree.enclosing_function(node) if depth else None
        calls = self.types.callers(function) if function is not None else ()
        return any(self.of(tree).ranks_executing(call, depth - 1) for tree, call in calls)

    def is_world_size(self, node: ast.expr) -> bool:
        """Whether an expression is the number of ranks: the call, or a name for what it returns."""
        found = self.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
        for binding in found[:1] if len(found) == 1 else ():
            value = binding.value
            for at in binding.path:
                value = value.elts[at] if isinstance(value, ast.Tuple) else None
            node = value or node
        return isinstance(node, ast.Call) and self.names.resolve(node.func) == WORLD_SIZE

    def prepared_by(self, model: ast.expr) -> ast.expr | None:
        """The Accelerator whose `prepare` gave a model: one that is wrapped where several processes run."""
        ways: list[ast.AST | None] = []
        if isinstance(model, ast.Name):
            ways = [binding.value for binding in self.flow.reaching_definitions(model)]
        elif isinstance(model, ast.Attribute) and (owner := self.classes.self_class(model.value)):
            ways = [value for value, _ in self.classes.attributes(owner).get(model.attr, [])]
        match ways[-1:]:
            case [ast.Call(func=ast.Attribute(attr="prepare", value=by)) as call]:
                is_model = self.types.kind_of(model) is Kind.MODULE
                return by if is_model and self.accelerates(call) else None
        return None

    def accelerates(self, call: ast.Call) -> bool:
        made = self.flow.receiver_made_by(call)
        return made is not None and self.names.resolve(made.func) == "accelerate.Accelerator"
