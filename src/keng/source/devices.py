"""CUDA devices: what is created on one or moved there."""

from __future__ import annotations

import ast
from functools import cached_property

from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import MODULES


class Devices:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Devices:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Devices, tree)

    def may_be_cuda(self, node: ast.AST | None, depth: int = 6) -> bool:
        """Whether an expression names a CUDA device, if only where there is one."""
        match node:
            case ast.Constant(value=str(text)):
                return text.startswith("cuda")
            case ast.JoinedStr(values=[first, *_]):
                return self.may_be_cuda(first, depth)
            case ast.IfExp():
                return self.may_be_cuda(node.body, depth) or self.may_be_cuda(node.orelse, depth)
            case ast.Call(args=[first, *_]) if self.names.resolve(node.func) == "torch.device":
                return self.may_be_cuda(first, depth)
            case ast.Call(func=ast.Attribute(attr="get"), args=[_, otherwise]):
                return self.may_be_cuda(otherwise, depth)
            case ast.Name() if depth:
                bound = [
                    b.value
                    for b in self.flow.reaching_definitions(node)
                    if b.how == "assign" and not b.path
                ]
                if (default := self.flow.default_of(node)) is not None:
                    return self.may_be_cuda(default, depth - 1)
                return any(self.may_be_cuda(value, depth - 1) for value in bound)
            case ast.Attribute() if (
                depth and (owner := self.classes.self_class(node.value)) is not None
            ):
                given = self.classes.attributes(owner).get(node.attr, [])
                return any(self.may_be_cuda(v, depth - 1) for v, path in given if not path)
        return False

    def puts_on_cuda(self, call: ast.Call) -> bool:
        """Whether a call moves something to a CUDA device, or makes it there."""
        match call.func:
            case ast.Attribute(attr="cuda"):
                return True
            case ast.Attribute(attr="to") if call.args and self.may_be_cuda(call.args[0]):
                return True
        return any(k.arg == "device" and self.may_be_cuda(k.value) for k in call.keywords)

    @cached_property
    def cuda_calls(self) -> list[ast.Call]:
        """The calls that move something to a CUDA device or make it there, in source order."""
        named = self.tree.attributes_by_name
        marks = [*named.get("cuda", ()), *named.get("to", ())]
        may = {self.tree.parent[each] for each in marks}
        may |= {self.tree.parent[each] for each in self.tree.keywords_by_name.get("device", ())}
        return [c for c in self.tree.nodes(ast.Call) if c in may and self.puts_on_cuda(c)]

    def on_cuda(self, name: ast.Name) -> bool:
        """Whether a name stands for something that was made on a CUDA device or moved there."""
        for binding in self.flow.reaching_definitions(name):
            value, path = binding.value, binding.path
            while path and isinstance(value, (ast.Tuple, ast.List)) and path[0] < len(value.elts):
                value, path = value.elts[path[0]], path[1:]
            inner = [value, *self.tree.descendants(value, ast.Call)] if value is not None else []
            if binding.how == "assign" and any(
                isinstance(call, ast.Call) and self.puts_on_cuda(call) for call in inner
            ):
                return True
        return any(
            isinstance(call.func, ast.Attribute)
            and ast.unparse(call.func.value) == name.id
            and self.types.kind_of(call.func.value) in MODULES
            for call in self.cuda_calls
        )
