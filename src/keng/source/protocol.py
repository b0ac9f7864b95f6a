"""A layer of Code: the order of what a training loop does, and what it leaves undone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.devices import Devices
from keng.source.index import LOOPS, Function
from keng.source.loops import Act, Loop, Round, Step
from keng.source.values import MODULES, Kind

MICRO = re.compile(r"accum|micro", re.IGNORECASE)
WEIGHTED = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding "
        "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm LSTM GRU RNN MultiheadAttention "
        "PReLU TransformerEncoderLayer TransformerDecoderLayer"
    ).split()
)
"""Layers of torch.nn that always have parameters."""


class Protocol(Devices):
    def scheduled_first(self, loop: Loop) -> Iterator[tuple[ast.Call, ast.stmt]]:
        """Scheduler steps that every round of a loop takes before its optimizer steps, and none has been
        taken before; with the statement of the loop after which they belong."""
        ifs = [each for each in loop.node.body if isinstance(each, ast.If)]
        blocks = [loop.node.body, *(each.body for each in ifs), *(each.orelse for each in ifs)]
        if not any(_steps_bare(statement) for block in blocks for statement in block):
            return
        schedules = [s for s in loop.steps if s.act in (Act.SCHEDULE, Act.STEP)]
        first = schedules[0] if schedules else None
        if first is None or first.act is not Act.SCHEDULE or first.via is not first.call:
            return
        call, steps = first.call, [s for s in schedules if s.act is Act.STEP]
        if not isinstance(call, ast.Call) or call.args or call.keywords or not steps:
            return
        known = isinstance(call.func, ast.Attribute) and self.value_of(call.func.value)
        block = self._block_of(call, loop)
        after = [s for s in block if self.within(steps[-1].via, s)]
        if not after or not known or known.kind is not Kind.SCHEDULER:
            return
        if not self._stepped_before(loop):
            yield call, after[0]

    def _block_of(self, call: ast.Call, loop: Loop) -> list[ast.stmt]:
        """The statements that a call stands among as one: those of a loop's rounds, or of an `if` there."""
        statement = self.parent[call]
        around = self.parent[statement] if isinstance(statement, ast.Expr) else None
        if isinstance(around, ast.If) and self.parent[around] is loop.node:
            return around.body if statement in around.body else around.orelse
        return loop.node.body if around is loop.node else []

    def _stepped_before(self, loop: Loop) -> bool:
        """Whether something in the function of a loop takes a step before it."""
        scope = self.body_around(loop.node)
        return any(
            self.body_around(call) is scope
            for call in self.method_calls("step")
            if self.position(call) < self.position(loop.node)
        )

    def _assigned_to(self, call: ast.Call) -> str:
        """The name or attribute that a call's result is given to."""
        above = self.parent[call]
        if isinstance(above, ast.Assign) and len(above.targets) == 1:
            target = above.targets[0]
            return ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute)) else ""
        return ""

    def counter(self, loop: Loop) -> str:
        """The name that counts the rounds of a loop over a range."""
        node = loop.node
        if isinstance(node, ast.While) or not isinstance(node.target, ast.Name):
            return ""
        counts = (
            isinstance(node.iter, ast.Call) and self.resolve(node.iter.func) == "builtins.range"
        )
        return node.target.id if counts else ""

    def scaled_rounds(self) -> list[Round]:
        """Training loops that call backward on what a GradScaler has scaled, and functions that do so
        and take a step, one round of a loop that is elsewhere."""
        scaled = [call for call in self.method_calls("backward") if self._scaled(call)]
        loops = [
            loop
            for loop in self.training_loops
            if any(s.via is s.call and s.call in scaled for s in loop.all(Act.BACKWARD))
        ]
        inside = {c for loop in self.training_loops for c in scaled if self.within(c, loop.node)}
        homes = dict.fromkeys(self.function_around(c) for c in scaled if c not in inside)
        rounds = [each for home in homes if home for each in self._rounds_from(home)]
        return [*loops, *(each for each in rounds if each.trains)]

    def _rounds_from(self, home: Function) -> list[Round]:
        """A function that takes a step, or those that call it beside one that does."""
        own = Round(self.me, home)
        if own.has(Act.STEP):
            return [own]
        callers = {code.function_around(call): code for code, call in self.callers(home)}
        return [Round(code, function) for function, code in callers.items() if function]

    def _scaled(self, call: ast.Call) -> bool:
        match call.func:
            case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="scale", value=scaler))):
                return self._is_scaler(scaler)
        return False

    def _is_scaler(self, node: ast.expr) -> bool:
        """Whether a thing whose `scale` gives something to call backward on is a GradScaler: known for
        one, or used like one."""
        kind, text = self.kind_of(node), ast.unparse(node)
        used = (ast.unparse(self.me.receiver(c)) for c in self.method_calls("step", "update"))
        return kind is Kind.SCALER or (kind is Kind.UNKNOWN and text in used)

    def updates(self, scaler: ast.expr) -> bool:
        """Whether `update()` is called on a GradScaler, or on what is called a scaler, in this file."""
        last = ast.unparse(scaler).rpartition(".")[2]
        names = [ast.unparse(self.me.receiver(c)) for c in self.method_calls("update")]
        return any(n.rpartition(".")[2] == last or "scaler" in n.lower() for n in names)

    def scaler_steps(self, loop: Round) -> list[ast.Call]:
        """The `scaler.step(optimizer)` calls of a loop; in another file or function they count too."""
        return [
            step.call
            for step in loop.all(Act.STEP)
            if isinstance(step.call, ast.Call)
            and isinstance(step.call.func, ast.Attribute)
            and (step.call.args or step.code is not self.me)
        ]

    def alternatives(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether only one of two nodes of a file runs."""
        return other not in self.parent or self._exclusive(one, other)

    def called_model(self, step: Step) -> ast.expr | None:
        """The model that a forward step of this file calls, where it is one with parts."""
        if not isinstance(step.call, ast.Call) or step.call not in self.parent:
            return None
        value = self.value_of(step.call.func)
        layer = value.dotted.startswith("torch.nn.") and value.dotted != "torch.nn.Sequential"
        return None if value.kind is not Kind.MODULE or layer else step.call.func

    def learned_from(self, loop: Loop) -> list[Step]:
        """Of the forward steps of a loop those that it may go backward on: its first, or those of the
        functions that it calls which go backward themselves."""
        homes = {s.code.function_around(s.call) for s in loop.all(Act.BACKWARD)}
        forwards = loop.all(Act.FORWARD)
        inside = [s for s in forwards if s.code.function_around(s.call) in homes]
        return loop.own(Act.FORWARD)[:1] or inside or forwards[:1]

    def left_in_eval(self, step: Step) -> ast.Call | None:
        """The call that leaves the model of a forward step in eval mode at the end of a round of one of
        the loops around, where nothing in that round switches it to training mode before the step."""
        model = self.called_model(step)
        text = ast.unparse(model) if model is not None else ""
        if text and step.via is not step.call:
            text = self._on_same_object(step, text)
        if not text:
            return None
        return self._left_by_rounds(text, step.via, depth=2)

    def _left_by_rounds(self, model: str, at: ast.AST, depth: int) -> ast.Call | None:
        """The same of a model, as text, and a node where it is trained; where the loops around that say
        nothing, of the place that calls the function with the model."""
        here, scope = self.position(at), self.function_around(at)
        for loop in [a for a in self.ancestors(at) if isinstance(a, LOOPS)]:
            if self.function_around(loop) is not scope:
                break
            calls = [c for c in self.below(loop, ast.Call) if self.function_around(c) is scope]
            modes = [(c, mode) for c in calls if (mode := self._mode_after(c, model, 2))]
            before = [(c, mode) for c, mode in modes if self.position(c) < here]
            if before:
                return before[-1][0] if self._evaluated_by(*before[-1], at) else None
            if modes and modes[-1][1] == "eval" and not self._leaves(modes[-1][0], loop):
                return modes[-1][0]
        if scope is None or not depth or self._last_mode(model, scope, at, 2):
            return None
        calls_of = [call for code, call in self.callers(scope) if code is self.me]
        given = self.passed(calls_of[0], scope, model) if len(calls_of) == 1 else None
        return self._left_by_rounds(ast.unparse(given), calls_of[0], depth - 1) if given else None

    def _on_same_object(self, step: Step, model: str) -> str:
        """A model, as text, where a loop calls a method of the object that has it, which trains it and
        leaves its mode as it is; "" where that is not so."""
        match step.via:
            case ast.Call(func=ast.Attribute(value=ast.Name() as owner)) as via:
                made = self.value_of(owner).definition
                owned_by = self.self_class(owner) or (made.node if made is not None else None)
                root, _, part = model.partition(".")
                names = [n for n in ast.walk(step.call) if isinstance(n, ast.Name) and n.id == root]
                if part and owned_by is not None and self.self_class(names[0]) is owned_by:
                    named = f"{owner.id}.{part}"
                    return named if not self._mode_after(via, named, 2) else ""
        return ""

    def _evaluated_by(self, call: ast.Call, mode: str, before: ast.AST) -> bool:
        """Whether a call before a step evaluates a model in a function of the project and leaves it so.
        An `eval()` in the loop itself may be meant for the step."""
        function = self.definition(call.func)
        if mode != "eval" or function is None or isinstance(function.node, ast.ClassDef):
            return False
        within = function.code.steps_of_function(function.node)
        forwards = [s for s in within if s.act is Act.FORWARD]
        return bool(forwards) and not self._exclusive(call, before)

    def _leaves(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether the block of a node ends the loop."""
        for above in self.ancestors(node):
            if above is loop:
                return False
            last = getattr(above, "body", [None])
            if isinstance(last, list) and isinstance(last[-1], (ast.Break, ast.Return)):
                return True
        return False

    def accumulates(self, loop: Loop) -> ast.expr | None:
        """How many rounds of a loop one optimizer step is taken for: `k` where all steps and all
        clearing of gradients stand under `if (i + 1) % k == 0`, or behind a loop over as many."""
        if (count := self._rounds_inside(loop)) is not None:
            return count
        acts = [s for s in loop.steps if s.act in (Act.STEP, Act.ZERO_GRAD)]
        tests = {self._test_of(s.via, loop) for s in acts}
        test = tests.pop() if len(tests) == 1 else None
        if test is None or not loop.has(Act.ZERO_GRAD) or loop.has(Act.OPAQUE):
            return None
        for node in ast.walk(test.test):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                inner = [n for n in ast.walk(test) if isinstance(n, (ast.Attribute, ast.Name))]
                by_hand = any(getattr(n, "attr", getattr(n, "id", "")) == "grad" for n in inner)
                divided = any(isinstance(n, ast.AugAssign) for n in ast.walk(test))
                return None if by_hand and divided else node.right
        return None

    def _rounds_inside(self, loop: Loop) -> ast.expr | None:
        """How many rounds of a loop inside go backward and take no step: a number that its name calls one
        of micro-batches or of accumulation."""
        for inner in self.below(loop.node, ast.For):
            match inner.iter:
                case ast.Call(func=ast.Name(id="range"), args=[count]):
                    acts = {s.act for s in loop.steps if self.within(s.via, inner)}
                    other = acts & {Act.STEP, Act.ZERO_GRAD, Act.OPAQUE}
                    if Act.BACKWARD in acts and not other and MICRO.search(ast.unparse(count)):
                        return count
        return None

    def _test_of(self, node: ast.AST, loop: Loop) -> ast.If | None:
        """The `if` of a loop's own body that a node stands under."""
        for above in self.ancestors(node):
            if isinstance(above, ast.If) and self.parent.get(above) is loop.node:
                return above
        return None

    def undivided(self, step: Step) -> ast.Name | None:
        """The name that backward is called on, where it is a mean that was never divided."""
        call = step.call
        if not isinstance(call, ast.Call) or step.via is not call:
            return None
        named = self.lost(call)
        whole = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(whole, ast.Call) and whole.args:
            whole = whole.args[0]
        if len(named) != 1 or named[0] is not whole or self._under_if(call):
            return None
        return named[0] if self._a_mean(named[0]) else None

    def _under_if(self, node: ast.AST) -> bool:
        for above in self.ancestors(node):
            if isinstance(above, LOOPS):
                return False
            if isinstance(above, ast.If):
                return True
        return False

    def _a_mean(self, name: ast.Name) -> bool:
        """Whether a name is known to hold a mean loss of torch, as it came."""
        ways = self.reaching(name)
        if not ways or any(b.how != "assign" for b in ways):
            return False
        if any(b.path for b in ways):
            made = [o.call for o in self.origins(name) if o.kind is not Kind.OTHER]
            return bool(made) and all(map(self._mean_loss, made))
        return all(isinstance(b.value, ast.Call) and self._mean_loss(b.value) for b in ways)

    def _mean_loss(self, call: ast.Call | None) -> bool:
        if call is None or call not in self.parent:
            return False
        made = self.value_of(call)
        if not self.is_scalar(call) or made.call is None:
            return False
        if made.dotted in ("torch.Tensor.mean", "torch.mean"):
            return True
        maker = self.value_of(call.func).call or call
        choices = [k for c in {call, maker} for k in c.keywords if k.arg in ("reduction", "reduce")]
        return made.dotted.startswith("torch.nn.") and not choices

    def layers_after_optimizer(self) -> Iterator[tuple[ast.Call, str, ast.expr]]:
        """Layers with parameters that are put into a model after an optimizer took its parameters, in
        the same function and for good: the optimizer's call, the model, and the attribute."""
        taken = {ast.unparse(self.me.receiver(call)) for call in self.method_calls("parameters")}
        for assigned in self.of(ast.Assign) if taken else ():
            target = assigned.targets[0]
            if not isinstance(target, (ast.Attribute, ast.Subscript)):
                continue
            whole = self._holder(target, taken)
            model, scope = ast.unparse(whole) if whole is not None else "", self.body_around(target)
            if whole is None or not self._brings_parameters(assigned.value, ast.unparse(target)):
                continue
            optimizers = list(self._optimizers_in(scope))
            late = any(self.position(call) > self.position(target) for call in optimizers)
            made = [call for call in optimizers if self._holds_all(call.args[0], model)]
            if not made or late or any(self.method_calls("add_param_group")):
                continue
            if not self._replaced_between(whole, made[-1], target):
                yield made[-1], model, target

    def _holder(self, target: ast.Attribute | ast.Subscript, taken: set[str]) -> ast.expr | None:
        """The model, one of those whose parameters are taken, of which a target is a part: in
        `model.fc`, `model.classifier[6]` that is `model`."""
        node: ast.expr = target.value
        while ast.unparse(node) not in taken:
            if not isinstance(node, (ast.Attribute, ast.Subscript)):
                return None
            node = node.value
        return node if self.kind_of(node) in MODULES else None

    def _brings_parameters(self, value: ast.expr, layer: str) -> bool:
        """Whether what replaces a layer has parameters that it did not have: a layer of torch, or one
        of the project's around it that holds Parameters of its own."""
        made = self.value_of(value)
        several = made.call if made.dotted == "torch.nn.Sequential" else None
        learns = several is not None and several in self.parent and self.me.has_parameters(several)
        if made.dotted in WEIGHTED or learns:
            return not self._keeps(value, layer)
        owner = made.definition.node if made.definition and made.kind is Kind.MODULE else None
        if made.definition is None or not isinstance(owner, ast.ClassDef) or made.call is not value:
            return False
        given = [v for each in made.definition.code.attributes(owner).values() for v, _ in each]
        own = [v for v in given if isinstance(v, ast.Call)]
        resolve = made.definition.code.resolve
        return any(resolve(call.func) == "torch.nn.Parameter" for call in own)

    def _keeps(self, value: ast.expr, layer: str) -> bool:
        """Whether a layer lives on in what replaces it; its sizes alone may be read."""
        inner = [n for n in self.below(value, ast.Attribute) if ast.unparse(n) == layer]
        return any(not isinstance(self.parent[n], ast.Attribute) for n in inner)

    def _optimizers_in(self, scope: ast.AST) -> Iterator[ast.Call]:
        for call in self.below(scope, ast.Call):
            made = self.value_of(call).kind is Kind.OPTIMIZER and bool(call.args)
            if made and self.body_around(call) is scope:
                yield call

    def _holds_all(self, given: ast.expr, model: str) -> bool:
        """`model.parameters()`, or a name for a list of some of these."""
        if ast.unparse(given) == f"{model}.parameters()":
            return True
        found = self.reaching(given) if isinstance(given, ast.Name) else []
        values = [b.value for b in found if b.how == "assign" and b.value is not None]
        return any(f" in {model}.parameters()" in ast.unparse(value) for value in values)

    def _replaced_between(self, model: ast.expr, made: ast.AST, target: ast.AST) -> bool:
        """Whether a model became another one between two places, or they stand on different ways."""
        if not isinstance(model, ast.Name) or self._exclusive(made, target):
            return True
        first, last = self.position(made), self.position(target)
        return any(first < self.position(b.node) < last for b in self.bindings(model))

    def under_with(self, node: ast.AST, dotted: str) -> bool:
        """Whether a node stands in a `with` of this call."""
        for above in self.ancestors(node):
            if isinstance(above, ast.With):
                calls = [
                    i.context_expr for i in above.items if isinstance(i.context_expr, ast.Call)
                ]
                if any(self.resolve(call.func) == dotted for call in calls):
                    return True
        return False


def _steps_bare(statement: ast.stmt) -> bool:
    """`anything.step()` as a statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="step"), args=[], keywords=[])):
            return True
    return False
