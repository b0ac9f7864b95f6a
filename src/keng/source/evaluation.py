"""Loops that evaluate a model instead of training it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from keng.source.calls import Calls
from keng.source.loops import Act, Loop, Loops
from keng.source.modes import Grad, Modes
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import Tree, names_in
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind
from keng.source.types.tables import PARALLEL

EVALUATES = re.compile(
    r"(^|_)(val|valid|validate|validation|eval|evaluate|evaluation|test|testing|infer|inference|predict)(_|$|\d)"
)
GRADIENT_USERS = frozenset({"torch.autograd.grad", "torch.autograd.functional.jacobian"})
TEST_DATA = re.compile(
    r"(?:^|_|\.)(?:val|valid|validation|eval|evaluation|test)_?(?:data_?)?loader$"
)
TEST_INPUT = re.compile(r"(?:^|_)x?(?:val|valid|validation|test|testing|eval)(?:_|\d|$)")
"""How data are named that no training is to see: `x_test`, `val_inputs`."""


class Evaluation(NamedTuple):
    """A loop over a loader that runs a model and never trains it. `named` tells whether its function
    says so, `grad` whether autograd records, `mode` what the model was switched to last."""

    loop: Loop
    model: ast.expr
    forward: ast.Call
    named: bool
    grad: Grad
    mode: str


class Evaluations:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self.modes = trees.ask(Modes, tree)
        self.loops = trees.ask(Loops, tree)

    def of(self, tree: Tree) -> Evaluations:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Evaluations, tree)

    def evaluates_by_name(self, node: ast.AST) -> bool:
        """Whether the function around a node is named for evaluation."""
        function = self.tree.enclosing_function(node)
        return function is not None and EVALUATES.search(function.name.lower()) is not None

    @cached_property
    def evaluations(self) -> list[Evaluation]:
        """Evaluation loops of a program that also trains, frameworks' loops left out. Silent where
        a gradient may still be wanted (saliency, adversarial examples, test-time training)."""
        if self.names.uses_framework():
            return []
        found = [e for loop in self.loops.all if (e := self._evaluation(loop)) is not None]
        return found if found and self._trains_somewhere() else []

    def _trains_somewhere(self) -> bool:
        if self.loops.training:
            return True
        return any(
            self.loops.of(tree).training
            for function in {self.tree.enclosing_function(loop.node) for loop in self.loops.all}
            - {None}
            for tree, _ in (self.types.callers(function) if function else ())
            if tree is not self.tree
        )

    def _evaluation(self, loop: Loop) -> Evaluation | None:
        batches = loop.over_loader or self.moves_batches(loop) or self._over_test_data(loop)
        if not batches or loop.has(Act.BACKWARD) or loop.has(Act.STEP):
            return None
        if any(self.tree.within(loop.node, outer.node) for outer in self.loops.training):
            return None
        if self._wants_gradients(loop):
            return None
        for step in loop.all(Act.FORWARD):
            if (
                step.tree is not self.tree
                or step.reached_by is not step.call
                or not isinstance(step.call, ast.Call)
            ):
                continue
            model = step.call.func
            value = self.types.value_of(model)
            if value.kind is not Kind.MODULE or is_layer(value.dotted):
                continue
            grad, mode = self.modes.grad_within(step.call), self.modes.mode_at(model, step.call)
            named = self.evaluates_by_name(loop.node) or self._over_test_data(loop)
            return Evaluation(loop, model, step.call, named, grad, mode)
        return None

    @cached_property
    def tested_at_once(self) -> list[ast.Call]:
        """Calls of a model on data that is named for tests, behind what trains it in the same body, and
        behind every backward of the loop that they stand in."""
        training = self.loops.training
        if not training or self.names.uses_framework():
            return []
        named = any(TEST_INPUT.search(name.lower()) for name in self.tree.names_by_id)
        return [call for loop in training if named for call in self._tested_behind(loop)]

    def _tested_behind(self, loop: Loop) -> Iterator[ast.Call]:
        trained = {ast.unparse(call.func) for call in self._forwards_here(loop)}
        body = self.tree.enclosing_body(loop.node)
        for call in self.tree.descendants(body, ast.Call) if trained else ():
            here = self._is_named_for_tests(call) and self.tree.enclosing_body(call) is body
            if here and ast.unparse(call.func) in trained and self._comes_after(call, loop):
                yield call

    def _forwards_here(self, loop: Loop) -> list[ast.Call]:
        steps = [s.call for s in loop.own(Act.FORWARD)]
        calls = [c for c in steps if isinstance(c, ast.Call)]
        return [c for c in calls if not is_layer(self.types.value_of(c.func).dotted)]

    def _is_named_for_tests(self, call: ast.Call) -> bool:
        given = [n for argument in call.args for n in ast.walk(argument)]
        return any(isinstance(n, ast.Name) and TEST_INPUT.search(n.id.lower()) for n in given)

    def _comes_after(self, call: ast.Call, loop: Loop) -> bool:
        """Whether a call comes behind a loop, or in its rounds behind all that they go backward on; and
        no other backward follows in the body."""
        last = max(self.tree.position(s.reached_by) for s in loop.all(Act.BACKWARD))
        body = self.tree.enclosing_body(call)
        later = [
            c for c in self.calls.method_calls("backward") if self.tree.enclosing_body(c) is body
        ]
        return last < self.tree.position(call) and not any(
            self.tree.position(c) > self.tree.position(call) for c in later
        )

    def _over_test_data(self, loop: Loop) -> bool:
        """Whether a loop goes over something that is named for evaluation: `val_loader`, `testloader`."""
        return any(TEST_DATA.search(name.lower()) for name in loop.iterable_names)

    def moves_batches(self, loop: Loop) -> bool:
        """Whether a loop goes over something not known, and moves to a device what it gets from that."""
        if (
            isinstance(loop.node, ast.While)
            or self.types.kind_of(loop.node.iter) is not Kind.UNKNOWN
        ):
            return False
        got = names_in(loop.node.target)
        return any(
            isinstance(call.func, ast.Attribute)
            and call.func.attr in ("to", "cuda")
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in got
            for call in self.tree.descendants(loop.node, ast.Call)
        )

    def _wants_gradients(self, loop: Loop) -> bool:
        """Whether the function of a loop uses gradients outside the training loops."""
        function = self.tree.enclosing_function(loop.node)
        scope = function or self.tree.root
        for call in self.calls.calls_to(*GRADIENT_USERS):
            if self.tree.within(call, scope):
                return True
        for call in self.calls.method_calls("backward", "requires_grad_"):
            same = self.tree.enclosing_body(call) is scope
            if same and not any(
                self.tree.within(call, outer.node) for outer in self.loops.training
            ):
                if not isinstance(call.func, ast.Attribute) or call.func.attr == "backward":
                    return True
                if self.tree.within(call, loop.node):
                    return True
        return False


def is_layer(dotted: str) -> bool:
    return dotted.startswith("torch.nn.") and dotted not in {"torch.nn.Sequential", *PARALLEL}
