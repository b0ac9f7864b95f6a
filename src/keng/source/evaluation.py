"""A layer of Code: loops that evaluate a model instead of training it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from keng.source.contexts import Grad
from keng.source.index import names_in
from keng.source.loops import Act, Loop
from keng.source.modes import published_layers
from keng.source.tables import PARALLEL
from keng.source.training import Training
from keng.source.values import Kind

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


class Evaluations(Training):
    @cached_property
    def evaluations(self) -> list[Evaluation]:
        """Evaluation loops of a program that also trains, frameworks' loops left out. Silent where
        a gradient may still be wanted (saliency, adversarial examples, test-time training)."""
        if self.uses_framework():
            return []
        found = [e for loop in self.loops if (e := self._evaluation(loop)) is not None]
        return found if found and self._trains_somewhere() else []

    def _trains_somewhere(self) -> bool:
        if self.training_loops:
            return True
        return any(
            code.training_loops
            for function in {self.function_around(loop.node) for loop in self.loops} - {None}
            for code, _ in (self.callers(function) if function else ())
            if code is not self.me
        )

    def _evaluation(self, loop: Loop) -> Evaluation | None:
        batches = loop.over_loader or self.moves_batches(loop) or self._over_test_data(loop)
        if not batches or loop.has(Act.BACKWARD) or loop.has(Act.STEP):
            return None
        if any(self.within(loop.node, outer.node) for outer in self.training_loops):
            return None
        if self._wants_gradients(loop):
            return None
        for step in loop.all(Act.FORWARD):
            if (
                step.code is not self.me
                or step.via is not step.call
                or not isinstance(step.call, ast.Call)
            ):
                continue
            model = step.call.func
            value = self.value_of(model)
            if value.kind is not Kind.MODULE or is_layer(value.dotted):
                continue
            grad, mode = self._grad_within(step.call), self.mode_at(model, step.call)
            named = self.evaluates_by_name(loop.node) or self._over_test_data(loop)
            return Evaluation(loop, model, step.call, named, grad, mode)
        return None

    def tested_at_once(self) -> Iterator[ast.Call]:
        """Calls of a model on data that is named for tests, behind what trains it in the same body, and
        behind every backward of the loop that they stand in."""
        if self.uses_framework():
            return
        for loop in self.training_loops:
            trained = {ast.unparse(call.func) for call in self._forwards_here(loop)}
            for call in self.below(self.body_around(loop.node), ast.Call) if trained else ():
                text = ast.unparse(call.func)
                if text not in trained or self.body_around(call) is not self.body_around(loop.node):
                    continue
                if self._is_named_for_tests(call) and self._comes_after(call, loop):
                    yield call

    def _forwards_here(self, loop: Loop) -> list[ast.Call]:
        steps = [s.call for s in loop.own(Act.FORWARD)]
        calls = [c for c in steps if isinstance(c, ast.Call)]
        return [c for c in calls if not is_layer(self.value_of(c.func).dotted)]

    def _is_named_for_tests(self, call: ast.Call) -> bool:
        given = [n for argument in call.args for n in ast.walk(argument)]
        return any(isinstance(n, ast.Name) and TEST_INPUT.search(n.id.lower()) for n in given)

    def _comes_after(self, call: ast.Call, loop: Loop) -> bool:
        """Whether a call comes behind a loop, or in its rounds behind all that they go backward on; and
        no other backward follows in the body."""
        last = max(self.position(s.via) for s in loop.all(Act.BACKWARD))
        body = self.body_around(call)
        later = [c for c in self.method_calls("backward") if self.body_around(c) is body]
        return last < self.position(call) and not any(
            self.position(c) > self.position(call) for c in later
        )

    def _grad_within(self, call: ast.Call) -> Grad:
        """Whether autograd records what a model does in a call: its forward may have a decorator."""
        runs = self.what_runs(call)
        switches = [runs.code.switched(d) for d in runs.node.decorator_list] if runs else []
        return next((state for state in switches if state is not None), self.grad_at(call))

    def _over_test_data(self, loop: Loop) -> bool:
        """Whether a loop goes over something that is named for evaluation: `val_loader`, `testloader`."""
        return any(TEST_DATA.search(name.lower()) for name in loop.names_through)

    def moves_batches(self, loop: Loop) -> bool:
        """Whether a loop goes over something not known, and moves to a device what it gets from that."""
        if isinstance(loop.node, ast.While) or self.kind_of(loop.node.iter) is not Kind.UNKNOWN:
            return False
        got = names_in(loop.node.target)
        return any(
            isinstance(call.func, ast.Attribute)
            and call.func.attr in ("to", "cuda")
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in got
            for call in self.below(loop.node, ast.Call)
        )

    def _wants_gradients(self, loop: Loop) -> bool:
        """Whether the function of a loop uses gradients outside the training loops."""
        function = self.function_around(loop.node)
        scope = function or self.tree
        for call in self.calls_to(*GRADIENT_USERS):
            if self.within(call, scope):
                return True
        for call in self.method_calls("backward", "requires_grad_"):
            same = self.body_around(call) is scope
            if same and not any(self.within(call, outer.node) for outer in self.training_loops):
                if not isinstance(call.func, ast.Attribute) or call.func.attr == "backward":
                    return True
                if self.within(call, loop.node):
                    return True
        return False

    def trains_on_purpose(self, seen: Evaluation) -> bool:
        """Whether the function of an evaluation switches to training mode itself, with no training
        between that and the evaluation: re-estimating batch norm, Monte Carlo dropout."""
        scope = self.body_around(seen.loop.node)
        before = [
            c for c in self.switches(scope) if self.position(c) < self.position(seen.loop.node)
        ]
        if seen.mode != "train" or not before:
            return False
        last = self.position(before[-1])
        here = self.position(seen.loop.node)
        return not any(last < self.position(t.node) < here for t in self._training_here(scope))

    def _training_here(self, scope: ast.AST) -> list[Loop]:
        return [t for t in self.training_loops if self.body_around(t.node) is scope]

    def result_unused(self, call: ast.Call) -> bool:
        """Whether what a call gives is dropped."""
        return isinstance(self.parent[call], ast.Expr)

    def mode_layers(self, model: ast.expr, depth: int = 3) -> set[str] | None:
        """Layers of a model that act differently in train and eval mode (Dropout, BatchNorm ...), by
        class name; None where its parts are not all known."""
        value = self.value_of(model)
        if value.dotted in PARALLEL and value.call in self.parent and value.call.args:
            return self.mode_layers(value.call.args[0], depth - 1) if depth else None
        if value.definition is not None:
            return self.mode_layers_of_class(value.definition)
        if value.dotted.startswith("torch.nn."):
            return self._mode_layers_of(value.call, depth=4)
        return published_layers(value.dotted)


def is_layer(dotted: str) -> bool:
    return dotted.startswith("torch.nn.") and dotted not in {"torch.nn.Sequential", *PARALLEL}
