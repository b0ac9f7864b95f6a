"""A layer of Code: how models are built, wrapped, called and handed to optimizers and losses."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import cast

from keng.model import Edit
from keng.source.contexts import Grad
from keng.source.loops import Act, Loop
from keng.source.processes import WRAPS
from keng.source.samplers import Samplers
from keng.source.values import Kind

CONVOLUTIONS = re.compile(r"torch\.nn\.Conv(?:Transpose)?[123]d")
SENT = frozenset({"to", "cuda", "half", "float", "double", "bfloat16"})
"""Methods by which a layer is sent to a device or a kind of numbers, and returned."""
TAKES_WHOLE = ("builtins.list", "builtins.tuple", "itertools.chain")
"""What gives on all that it is given."""
WORLD_SIZE = "torch.distributed.get_world_size"
REDUCES_ITSELF = (b"register_comm_hook", b"no_sync", b"all_reduce", b"reduce_scatter")

TURNS_OFF = re.compile(r"(?:requires|toggle|set)_grad\w*\b.*\bFalse|(?<!un)freez", re.DOTALL)
"""In the text of a statement."""


class Models(Samplers):
    def calls_as_statements(self, names: Collection[str]) -> Iterator[ast.Call]:
        """Calls of one of these dotted names, as the file writes them, that stand as statements."""
        lasts = {name.rpartition(".")[2] for name in names}
        for call in (call for last in lasts for call in self.calls_named(last)):
            alone = isinstance(self.parent[call], ast.Expr)
            if alone and (self.written(call.func) or self.resolve(call.func)) in names:
                yield call

    def tensors_of_tensors(self) -> Iterator[ast.Call]:
        """Calls of torch.tensor on what is known to be a tensor."""
        for call in self.calls_to("torch.tensor"):
            if call.args and self.kind_of(call.args[0]) is Kind.TENSOR and not self.asked(call):
                yield call

    def gives_a_new_number(self, node: ast.expr) -> bool:
        """Whether an expression reads a number out of a tensor, which is a new object each time."""
        match node:
            case ast.Call(func=ast.Attribute(attr="item"), args=[]):
                return True
            case ast.Call(func=ast.Name(id="float"), args=[inner]):
                return self.kind_of(inner) is Kind.TENSOR
        return False

    # losses

    def squeezed_for_a_loss(self) -> Iterator[tuple[ast.Call, ast.expr, ast.Call]]:
        """Losses one side of which was squeezed of all its dimensions of one: the call, that side as it
        is given, and the squeeze."""
        squeezes = [*self.method_calls("squeeze"), *self.calls_to("torch.squeeze")]
        for call in self.of(ast.Call) if squeezes else ():
            sides = [self._bare_squeeze(side) for side in call.args[:2]]
            if len(sides) < 2 or sides == [None, None] or self.act_of(call) is not Act.LOSS:
                continue
            if any(map(self._one_of_many, call.args[:2])):
                continue
            for given, squeeze, other in zip(call.args, sides, reversed(sides), strict=False):
                if squeeze is not None and other is None:
                    yield call, given, squeeze

    def _one_of_many(self, node: ast.expr) -> bool:
        """Whether a value is one row of a tensor that a loop goes through, not a batch of them."""
        for binding in self.reaching(node) if isinstance(node, ast.Name) else ():
            rows = binding.value if binding.how == "for" else None
            if isinstance(rows, ast.Call) and self.resolve(rows.func) == "builtins.zip":
                rows = rows.args[binding.path[0]] if binding.path else None
            if rows is not None and self.kind_of(rows) is Kind.TENSOR:
                return True
        return False

    def _bare_squeeze(self, node: ast.expr) -> ast.Call | None:
        if isinstance(node, ast.Name):
            value = self.assigned(node)
            return self._bare_squeeze(value) if isinstance(value, ast.Call) else None
        if not isinstance(node, ast.Call) or node.keywords:
            return None
        if self.resolve(node.func) == "torch.squeeze":
            return node if len(node.args) == 1 else None
        bare = isinstance(node.func, ast.Attribute) and node.func.attr == "squeeze"
        return node if bare and not node.args else None

    def with_dim(self, squeeze: ast.Call) -> Edit:
        """The last dimension as an argument of a bare squeeze."""
        end = self.bounds(squeeze)[1] - 1
        return Edit(end, end, ", -1" if squeeze.args else "-1")

    # layers

    def layers_built_in_forward(self) -> Iterator[tuple[ast.Call, bool]]:
        """Layers with parameters, and dropouts (True), that a forward makes for one call: what it keeps
        on `self`, makes in training only, or puts in its own mode is left out."""
        for call in self.of(ast.Call) if b"def forward" in self.data else ():
            if not self._in_forward(call):
                continue
            drops = self.resolve(call.func).startswith("torch.nn.Dropout")
            if not (drops or self.has_parameters(call)):
                continue
            above = self.parent[call]
            while isinstance(above, ast.Attribute) and above.attr in SENT:
                call = cast(ast.Call, self.parent[above])
                above = self.parent[call]
            if (
                isinstance(above, ast.Attribute)
                or self._kept(call)
                or self.under_training_test(call)
            ):
                continue
            if not (drops and call.args and self.is_constant(call.args[0], 0)):
                yield call, drops

    def convolutions_before_norm(self) -> Iterator[ast.Call]:
        """Convolutions with a bias that a batch norm follows directly: in a Sequential, or as attributes
        that a forward calls one in the other, and the convolution nowhere else."""
        for call in self.calls_to("torch.nn.Sequential"):
            for conv, norm in pairwise(self.parts_of(call)):
                if isinstance(conv, ast.Call) and self._biased(conv) and self._batch_norm(norm):
                    yield conv
        for call in self.of(ast.Call):
            inner = call.args[0] if len(call.args) == 1 else None
            if not isinstance(inner, ast.Call) or not self._batch_norm(call.func):
                continue
            made, once = self.value_of(inner.func).call, self._called_once(inner.func)
            if made is not None and made in self.parent and once and self._biased(made):
                yield made

    def _biased(self, conv: ast.Call) -> bool:
        plain = not any(k.arg in ("bias", None) for k in conv.keywords) and len(conv.args) < 8
        return plain and CONVOLUTIONS.fullmatch(self.resolve(conv.func)) is not None

    def _batch_norm(self, norm: ast.expr) -> bool:
        return self.value_of(norm).dotted.startswith("torch.nn.BatchNorm")

    def _called_once(self, function: ast.expr) -> bool:
        if not isinstance(function, ast.Attribute):
            return False
        calls = self.calls_by_name.get(function.attr, [])
        return [ast.unparse(call.func) for call in calls].count(ast.unparse(function)) == 1

    def _kept(self, call: ast.Call) -> bool:
        """Whether a layer that is made outlives the call: on `self`, returned, or handed on."""
        statement = self.statement(call)
        if isinstance(statement, ast.Return):
            return statement.value is call
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        stored = [t for t in targets if not isinstance(t, ast.Name)]
        above = self.parent[call]
        handed = (
            isinstance(above, (ast.Call, ast.keyword)) and getattr(above, "func", None) is not call
        )
        return bool(stored) or handed or any(self._filled_by_hand(t, call) for t in targets)

    def _filled_by_hand(self, name: ast.expr, call: ast.Call) -> bool:
        """Whether something of a layer is set in the function that makes it: it only carries weights."""
        assigned = self.below(self.body_around(call), ast.Assign)
        texts = [ast.unparse(target) for each in assigned for target in each.targets]
        return any(text.startswith(f"{ast.unparse(name)}.") for text in texts)

    def calls_past_wrapper(self) -> Iterator[ast.Call]:
        """Calls, in training loops, of what lies inside a DistributedDataParallel: of `model.module` or
        a part or method of it, and of the model that was wrapped."""
        for loop in self.training_loops:
            steps = [s.call for s in loop.all(Act.FORWARD) if s.code is self.me]
            elsewhere = [s for s in steps if not self.within(s, loop.node)]
            for call in (*self.below(loop.node, ast.Call), *elsewhere):
                if not isinstance(call, ast.Call):
                    continue
                past = self._inside_wrapper(call.func) or self._wrapped_itself(call.func, loop)
                if past and self._feeds_backward(call, loop):
                    yield call

    def _inside_wrapper(self, function: ast.expr) -> bool:
        node = function
        while isinstance(node, ast.Attribute):
            if node.attr == "module":
                return self.value_of(node.value).dotted in WRAPS
            node = node.value
        return False

    def _wrapped_itself(self, function: ast.expr, loop: Loop) -> bool:
        text = ast.unparse(function)
        body = self.body_around(loop.node)
        return any(
            wrap.args
            and isinstance(wrap.args[0], ast.Name)
            and ast.unparse(wrap.args[0]) == text
            and self.body_around(wrap) is body
            and self._assigned_to(wrap) not in ("", text)
            for wrap in self.wraps
        )

    def _feeds_backward(self, call: ast.Call, loop: Loop) -> bool:
        """Whether what a call gives is a loss of the loop or enters one."""
        losses = self.losses(loop)
        statement = self.statement(call)
        if any(self.within(loss, statement) for loss in losses):
            return True
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        stored = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        if stored & {loss.id for loss in losses}:
            return True
        around = loop.node if self.within(call, loop.node) else self.body_around(call)
        uses = [n for n in self.below(around, ast.Name) if n.id in stored]
        return any(isinstance(n.ctx, ast.Load) and not self._only_shown(n) for n in uses)

    def _only_shown(self, name: ast.Name) -> bool:
        call = self.around(name, ast.Call)
        return call is not None and self.resolve(call.func) == "builtins.print"

    def gradients_divided_again(self) -> Iterator[tuple[ast.AST, str]]:
        """Statements that divide the gradients of a DistributedDataParallel by the number of ranks, and the
        name of that model. Where a hook or the program itself reduces them as well, they may be sums."""
        if not self.wraps or any(word in self.data for word in REDUCES_ITSELF):
            return
        for loop in self.of(ast.For):
            match loop:
                case ast.For(
                    target=ast.Name(id=name),
                    iter=ast.Call(func=ast.Attribute(value=model, attr="parameters")),
                ) if self.value_of(model).dotted in WRAPS:
                    for node in self.below(loop, ast.AugAssign, ast.Call):
                        made = self.value_of_call(self._divides_gradient(node, name))
                        if made is not None and self.resolve(made.func) == WORLD_SIZE:
                            yield node, ast.unparse(model)

    def _divides_gradient(self, node: ast.AST, parameter: str) -> ast.expr | None:
        """What the gradient of a parameter is divided by, in place."""
        match node:
            case ast.AugAssign(target=divided, op=ast.Div(), value=by):
                pass
            case ast.Call(func=ast.Attribute(value=divided, attr="div_"), args=[by]):
                pass
            case _:
                return None
        return by if ast.unparse(divided).removesuffix(".data") == f"{parameter}.grad" else None

    # optimizers

    def optimizers_sharing(self) -> Iterator[tuple[ast.Call, str]]:
        """Optimizers of the same parameters as one made before, both of which step in every round of one
        training loop; with the name of that one."""
        for loop in self.training_loops:
            before: list[tuple[str, str, ast.Call]] = []
            for _, name, made in self.optimizer_steps(loop):
                models = list(self._models_taken(made.args[0]))
                shared = [
                    of
                    for text, of, other in before
                    if other is not made
                    and any(holds(text, model) or holds(model, text) for model in models)
                ]
                if shared and self._one_backward(loop):
                    yield made, shared[0]
                before += [(model, name, made) for model in models]

    def _models_taken(self, given: ast.expr) -> Iterator[str]:
        """The models, as text, all of whose parameters an optimizer is given."""
        parts: list[ast.expr] = []
        match given:
            case ast.Call(func=ast.Attribute(attr="parameters", value=model), args=[]):
                yield ast.unparse(model)
            case ast.Call():
                parts = given.args if self.resolve(given.func) in TAKES_WHOLE else []
            case ast.BinOp(op=ast.Add()):
                parts = [given.left, given.right]
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                pass
            case ast.Starred(value=whole):
                parts = [whole]
        for part in parts:
            yield from self._models_taken(part)

    def _one_backward(self, loop: Loop) -> bool:
        """Whether a loop calls backward once a round, so that all its steps take the same gradients."""
        return len(loop.all(Act.BACKWARD)) == 1

    def optimizer_steps(self, loop: Loop) -> Iterator[tuple[ast.Call, str, ast.Call]]:
        """The steps of known optimizers that every round of a loop takes: the call, the optimizer's name,
        and the call that made it."""
        for step in loop.all(Act.STEP):
            call = step.call
            if step.code is not self.me or not isinstance(call, ast.Call) or self._under_if(call):
                continue
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            maker = self.value_of(owner)
            known = maker.kind is Kind.OPTIMIZER and maker.call in self.parent
            if owner is not None and known and maker.call is not None and maker.call.args:
                yield call, ast.unparse(owner), maker.call

    def leaks_between_models(self) -> Iterator[tuple[ast.expr, str, str]]:
        """What one model gives to another with its graph, where the backward that follows is for the
        other's optimizer alone: the expression, the first model and the second."""
        for loop in self.training_loops:
            steps = list(self.optimizer_steps(loop))
            for call in self.below(loop.node, ast.Call):
                given = call.args[0] if len(call.args) == 1 else None
                first = self._model_that_made(given, loop)
                second = ast.unparse(call.func)
                if first is None or given is None or self.kind_of(call.func) is not Kind.MODULE:
                    continue
                if first != second and self._steps_alone(second, first, call, loop, steps):
                    yield given, first, second

    def _model_that_made(self, given: ast.expr | None, loop: Loop) -> str | None:
        """The model whose output, with its graph, a name was given in the same round."""
        if not isinstance(given, ast.Name) or self.grad_at(given) is not Grad.ON:
            return None
        value = self.assigned(given)
        if not isinstance(value, ast.Call) or not self.within(value, loop.node):
            return None
        model = ast.unparse(value.func)
        made = self.kind_of(value.func) is Kind.MODULE and self.grad_at(value) is Grad.ON
        return model if made and not self._turned_off(model, value, loop) else None

    def _turned_off(self, model: str, call: ast.Call, loop: Loop) -> bool:
        """Whether a round turns the gradients of a model off before it calls it, by itself or by a function
        that is named after that or does it."""
        before = [s for s in self.below(loop.node, ast.Expr, ast.For) if s.lineno < call.lineno]
        off = [s for s in before if TURNS_OFF.search(ast.unparse(s)) or self._switches(s)]
        return any(
            isinstance(n, ast.expr) and ast.unparse(n) == model for s in off for n in ast.walk(s)
        )

    def _switches(self, statement: ast.AST) -> bool:
        """Whether it gives False to a function that sets `requires_grad`."""
        call = getattr(statement, "value", None)
        made = self.definition(call.func) if isinstance(call, ast.Call) else None
        if made is None or "False" not in ast.unparse(statement):
            return False
        return "requires_grad" in made.code.text_of(made.node)

    def _steps_alone(
        self,
        second: str,
        first: str,
        call: ast.Call,
        loop: Loop,
        steps: list[tuple[ast.Call, str, ast.Call]],
    ) -> bool:
        """Whether one backward follows a call, and then a step of the second model's optimizer and none
        of the first's, though the first has one of its own."""
        here = self.position(call)
        backwards = [s.call for s in loop.all(Act.BACKWARD) if self.position(s.call) > here]
        if not backwards or not isinstance(backwards[0], ast.Call) or self.retains(backwards[0]):
            return False
        until = self.position(backwards[1]) if len(backwards) > 1 else (10**9, 0)
        between = [m for c, _, m in steps if self.position(backwards[0]) < self.position(c) < until]
        texts = {ast.unparse(maker.args[0]) for maker in between}
        owners = {
            ast.unparse(c.args[0])
            for c in self.of(ast.Call)
            if c.args and self.value_of(c).kind is Kind.OPTIMIZER
        }
        return texts == {f"{second}.parameters()"} and f"{first}.parameters()" in owners


def holds(model: str, part: str) -> bool:
    """Whether a model, as text, is another or has it for a part."""
    return part == model or part.startswith((f"{model}.", f"{model}["))
