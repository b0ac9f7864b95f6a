"""Layers and parameters that a module registers, and those it hides in plain containers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.graph import Graph
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind

READERS = frozenset(
    f"builtins.{name}" for name in ("len", "enumerate", "zip", "list", "reversed", "print", "iter")
)
WITH_PARAMETERS = (
    *(
        "Linear",
        "Bilinear",
        "Conv",
        "LazyConv",
        "LazyLinear",
        "Embedding",
        "BatchNorm",
        "LayerNorm",
    ),
    *("GroupNorm", "RMSNorm", "LSTM", "GRU", "RNN", "Transformer", "MultiheadAttention"),
)
"""How the names of layers with parameters begin."""
CONTAINERS = (ast.List, ast.Tuple, ast.ListComp, ast.Dict, ast.DictComp)


class Registration:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.types = trees.ask(Types, tree)
        self.graph = trees.ask(Graph, tree)

    def of(self, tree: Tree) -> Registration:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Registration, tree)

    def module_values(self) -> Iterator[tuple[str, ast.expr]]:
        """What the modules of this file are given as attributes: name and value."""
        for owner in self.tree.nodes(ast.ClassDef):
            if self.types.kind_of_class(owner) is not Kind.MODULE:
                continue
            for name, given in self.classes.attributes(owner).items():
                for value, path in given:
                    if value is not None and not path:
                        yield name, value

    def containers_of_layers(self) -> Iterator[tuple[str, ast.expr]]:
        """The lists and dictionaries of layers with parameters that a module keeps as attributes and
        registers nowhere."""
        for name, value in self.module_values():
            if isinstance(value, ast.Name) and self._lists_layers(value, name):
                yield name, value
            if not isinstance(value, CONTAINERS):
                continue
            owner = self.tree.enclosing_class(value)
            if owner is None or self._registered_by_hand(owner, name):
                continue
            parts = self.parts_kept(owner, name, value)
            if any(
                self.has_parameters(part) or self.graph.makes_leaf_with_grad(part) for part in parts
            ):
                yield name, value

    def container_for(self, name: str, value: ast.expr) -> tuple[str, str]:
        """What registers what a container holds, and what that is."""
        owner = self.tree.enclosing_class(value)
        parts = list(self.parts_kept(owner, name, value)) if owner is not None else []
        plain = bool(parts) and not any(self.has_parameters(part) for part in parts)
        form = "Dict" if self.is_dictionary(value) else "List"
        return (f"Parameter{form}", "Parameters") if plain else (f"Module{form}", "layers")

    def _lists_layers(self, listed: ast.Name, name: str) -> bool:
        """Whether a name that is put on `self` was given a list of layers with parameters, or one that is
        filled with such, and handed to nothing else."""
        made = self.flow.assigned_value(listed)
        if not isinstance(made, (ast.List, ast.ListComp)):
            return False
        owner, function = self.tree.enclosing_class(listed), self.tree.enclosing_function(listed)
        if owner is None or function is None:
            return False
        parts = [made.elt] if isinstance(made, ast.ListComp) else list(made.elts)
        for call in self.tree.descendants(function, ast.Call):
            match call:
                case ast.Call(func=ast.Attribute(attr="append", value=ast.Name(id=holder))):
                    parts += call.args if holder == listed.id else []
            given = [a.value if isinstance(a, ast.Starred) else a for a in call.args]
            handed = any(isinstance(a, ast.Name) and a.id == listed.id for a in given)
            if handed and self.names.resolve(call.func) not in READERS:
                return False
        learn = any(self.has_parameters(part) for part in parts)
        return learn and not self._registered_by_hand(owner, name)

    def parts_kept(self, owner: ast.ClassDef, name: str, value: ast.expr) -> Iterator[ast.expr]:
        """What a container is made of, and what is put into it later."""
        if isinstance(value, (ast.List, ast.Tuple)):
            yield from value.elts
        elif isinstance(value, ast.Dict):
            yield from value.values
        elif isinstance(value, ast.ListComp):
            yield value.elt
        elif isinstance(value, ast.DictComp):
            yield value.value
        for node in self.tree.descendants(owner, ast.Call, ast.Assign):
            match node:
                case (
                    ast.Call(func=ast.Attribute(attr="append", value=holder), args=[part])
                    | ast.Assign(targets=[ast.Subscript(value=holder)], value=part)
                ):
                    if is_own(holder, name):
                        yield part

    def _registered_by_hand(self, owner: ast.ClassDef, name: str) -> bool:
        """Whether a class hands layers to a register itself, or a container on to something else."""
        for call in self.tree.descendants(owner, ast.Call):
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if method in ("add_module", "register_module", "__setattr__", "__dict__"):
                return True
            may_set = method in ("", "setattr")
            if may_set and self.names.resolve(call.func) == "builtins.setattr":
                return True
            given = [a.value if isinstance(a, ast.Starred) else a for a in call.args]
            kept = any(is_own(a, name) for a in given)
            if kept and self.names.resolve(call.func) not in READERS:
                return True
        return len(self.classes.attributes(owner).get(name, [])) > 1

    def has_parameters(self, part: ast.expr, depth: int = 3) -> bool:
        """Whether an expression makes a layer that is to be trained: one of torch, or one of the
        project's that holds such a layer."""
        if not isinstance(part, ast.Call) or not depth:
            return False
        dotted = self.names.resolve(part.func)
        if dotted == "torch.nn.Sequential":
            return any(self.has_parameters(inner, depth) for inner in self.types.layers_of(part))
        if dotted.startswith("torch.nn."):
            return dotted.rpartition(".")[2].startswith(WITH_PARAMETERS)
        made = self.types.definition(part.func)
        if made is None or not isinstance(made.node, ast.ClassDef):
            return False
        tree, owner = made.tree, made.node
        held = [
            v
            for given in self.classes.of(tree).attributes(owner).values()
            for v, _ in given
            if v is not None
        ]
        return self.types.of(tree).kind_of_class(owner) is Kind.MODULE and any(
            self.of(tree).has_parameters(value, depth - 1) for value in held
        )

    def is_dictionary(self, value: ast.expr) -> bool:
        return isinstance(value, (ast.Dict, ast.DictComp))


def is_own(node: ast.expr, name: str) -> bool:
    """Whether an expression is `self.NAME`."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
            return attribute == name
    return False
