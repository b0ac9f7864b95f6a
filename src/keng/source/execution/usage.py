"""What functions do, by the names in them: whether to follow a call, and what an argument is."""

from __future__ import annotations

import ast
import re

from keng.source.execution.library import OPTIMIZERS
from keng.source.execution.modules import Modules
from keng.source.execution.values import Class, Function, Role
from keng.source.tree import FUNCTIONS, Tree, names_in

EVENTS = frozenset(
    "backward step zero_grad train eval no_grad inference_mode set_grad_enabled enable_grad parameters "
    "DataLoader set_epoch optim lr_scheduler DistributedSampler detach data numpy item tensor as_tensor "
    "load_state_dict deepcopy requires_grad_ manual_backward".split()
)
"""Names without which a function is neither part of the protocol of training nor cuts a gradient."""
NETWORKS = frozenset({"model", "net", "network"})
"""What a function that is not the network's own calls to evaluate it."""
PROTOCOL = EVENTS | OPTIMIZERS | NETWORKS
OF_OBJECTS = frozenset({"data", "item", "step", "train", "eval", "tensor", "numpy", "detach"})
"""Those that as names of their own are data, items and steps of any kind."""
LEARNING = frozenset({"backward", "manual_backward", "step"})
"""Names of which one is in every function that trains."""
SHORT = 60
"""Nodes of a function that is followed whatever it does."""
NETWORK = re.compile(
    r"model|net$|net_|^net|encoder|decoder|generator|discriminator|policy|actor|critic|backbone",
    re.I,
)
OF_MODULES = frozenset({"train", "eval", "parameters", "named_parameters", "state_dict", "module"})
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Usage:
    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self._known: dict[tuple[ast.AST, bool], bool] = {}

    def is_relevant(self, function: Function) -> bool:
        """Whether a function, or one that it names, says anything of the protocol of training."""
        return self._says(function, learns=False)

    def learns(self, function: Function) -> bool:
        """Whether a function, or one that it names, goes backward or steps."""
        return self._says(function, learns=True)

    def _says(self, function: Function, learns: bool) -> bool:
        key = function.node, learns
        if key not in self._known:
            self._known[key] = False  # of one that calls itself
            self._known[key] = self._finds(function, learns)
        return self._known[key]

    def _finds(self, function: Function, learns: bool) -> bool:
        tree, node = function.home.tree, function.node
        attributes = {each.attr for each in tree.descendants(node, ast.Attribute)}
        names = {each.id for each in tree.descendants(node, ast.Name)}
        said = attributes | (names - OF_OBJECTS)
        if not said.isdisjoint(LEARNING if learns else PROTOCOL):
            return True
        own = function.owner.fields if function.owner is not None else {}
        called = [own[name] for name in attributes if name in own]
        home = function.home
        called += [self._modules.member(home, n) for n in names if self._may_be(function, n)]
        makes = any(isinstance(each, Class) for each in called)
        functions = [each for each in called if isinstance(each, Function)]
        return makes or any(self._says(each, learns) for each in functions)

    def _may_be(self, function: Function, name: str) -> bool:
        home = function.home
        return name in home.scope.values or isinstance(
            home.statements.get(name), (ast.FunctionDef, ast.ClassDef, ast.ImportFrom)
        )

    def is_short(self, function: Function) -> bool:
        first, last = function.home.tree.range_of(function.node)
        return last - first <= SHORT

    def is_abstract(self, function: Function) -> bool:
        """Whether a method is there for others to override: all it does is to raise."""
        body = function.node.body if isinstance(function.node, FUNCTIONS) else []
        says = [
            isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body
        ]
        does = [each for each, text in zip(body, says, strict=True) if not text]
        return bool(body) and all(isinstance(each, (ast.Raise, ast.Pass)) for each in does)

    def is_generator(self, function: Function) -> bool:
        tree, node = function.home.tree, function.node
        yields: list[ast.AST] = [*tree.descendants(node, ast.Yield, ast.YieldFrom)]
        return any(tree.enclosing(each, *INNER) is node for each in yields)


def role_of_argument(function: Function, name: str) -> Role | None:
    """What an argument that nobody gives must be, by its use in a function."""
    tree, node = function.home.tree, function.node
    if _is_replaced(tree, node, name):
        return None
    methods = _attributes_of(tree, node, name)
    if "step" in methods and ("zero_grad" in methods or "optim" in name.lower()):
        return Role.OPTIMIZER
    if NETWORK.search(name) and (methods & OF_MODULES or _is_called(tree, node, name)):
        return Role.MODULE
    return None


def _is_replaced(tree: Tree, node: ast.AST, name: str) -> bool:
    """Whether a function makes something else of an argument: `optimizer = Adam(...)` of the name "adam"."""
    return any(
        isinstance(each.value, ast.Call)
        and name in (target.id for target in each.targets if isinstance(target, ast.Name))
        and name not in names_in(each.value)
        for each in tree.descendants(node, ast.Assign)
    )


def _attributes_of(tree: Tree, node: ast.AST, name: str) -> set[str]:
    return {
        each.attr
        for each in tree.descendants(node, ast.Attribute)
        if isinstance(each.value, ast.Name) and each.value.id == name
    }


def _is_called(tree: Tree, node: ast.AST, name: str) -> bool:
    calls = tree.descendants(node, ast.Call)
    return any(isinstance(c.func, ast.Name) and c.func.id == name for c in calls)
