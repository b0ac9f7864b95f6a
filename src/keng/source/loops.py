"""A layer of Code: the training loop as an object.

A loop is a `for` or `while` with the steps that its rounds take, in order, steps taken inside helper
functions and methods of the same project included.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from keng.source.index import LOOPS, Function
from keng.source.modes import Modes
from keng.source.values import MODULES, Kind

if TYPE_CHECKING:
    from keng.source.code import Code

Loop_ = ast.For | ast.AsyncFor | ast.While
BACKWARD = frozenset({"backward", "manual_backward"})
CLEARS = re.compile(r"(zero|reset|clear)_?grads?|zero_grad|clear_gradients?")
EVALUATES = re.compile(
    r"(^|_)(val|valid|validate|validation|eval|evaluate|evaluation|test|testing|infer|inference|predict)(_|$|\d)"
)


LOADER_LIKE = re.compile(r"loader|_dl\b|\bdl\b|batches", re.IGNORECASE)
OPTIMIZERS = re.compile(r"(^|[._\[])(\w*optim\w*|opt|opt_\w+|\w+_opt)(\]|\.|$|\[)")
"""How optimizers are called that nothing else tells."""


class Act(Enum):
    """What a step of a training loop does."""

    ZERO_GRAD = "zero_grad"
    FORWARD = "forward"
    LOSS = "loss"
    BACKWARD = "backward"
    UNSCALE = "unscale"
    CLIP = "clip"
    STEP = "step"
    SCHEDULE = "schedule"
    OPAQUE = "opaque"


class Step(NamedTuple):
    """One step: where it is written, and the call in the loop's own body by which it is reached."""

    act: Act
    call: ast.Call | ast.stmt
    code: Code
    via: ast.AST

    @property
    def dotted(self) -> str:
        """The dotted name of what is called."""
        return self.code.resolve(self.call.func) if isinstance(self.call, ast.Call) else ""


class Round:
    """What is gone through once: the body of a loop, or of a function that a loop elsewhere calls."""

    def __init__(self, code: Code, node: Loop_ | Function) -> None:
        self.code = code
        self.block = node

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of one round, in the order of the text."""
        return list(self.code.steps_in(self.block.body))

    def all(self, act: Act) -> list[Step]:
        return [step for step in self.steps if step.act is act]

    def own(self, act: Act) -> list[Step]:
        """The steps that stand in the block itself, not in what it calls."""
        return [step for step in self.all(act) if step.via is step.call]

    def has(self, act: Act) -> bool:
        return any(step.act is act for step in self.steps)

    @cached_property
    def trains(self) -> bool:
        may = self.code.may_go_backward(self.block)
        return may and self.has(Act.BACKWARD) and self.has(Act.STEP)


class Loop(Round):
    def __init__(self, code: Code, node: Loop_) -> None:
        super().__init__(code, node)
        self.node = node

    @cached_property
    def inner(self) -> list[Loop]:
        return [
            loop
            for loop in self.code.loops
            if loop is not self and self.code.within(loop.node, self.node)
        ]

    @property
    def through(self) -> ast.expr | None:
        """What it goes through; nothing where it goes on while something holds."""
        return None if isinstance(self.node, ast.While) else self.node.iter

    @cached_property
    def names_through(self) -> list[str]:
        """The names in that, as they are written."""
        inner = ast.walk(self.through) if self.through is not None else ()
        return [ast.unparse(n) for n in inner if isinstance(n, (ast.Name, ast.Attribute))]

    @cached_property
    def over_loader(self) -> bool:
        """Whether it goes through a data loader, directly or wrapped in enumerate or a progress bar."""
        return self.through is not None and self.code.iterates_loader(self.through)


class Loops(Modes):
    @cached_property
    def loops(self) -> list[Loop]:
        says = self.project.says(b"backward(", self.path)
        if not says and not self.project.heirs_say(b"backward(", self.me):
            return []  # no loop of a program that never trains is of interest
        nodes = sorted(self.of(*LOOPS), key=self.position)
        return [Loop(self.me, cast(Loop_, node)) for node in nodes]

    @cached_property
    def training_loops(self) -> list[Loop]:
        """The innermost loops that take optimizer steps after backward."""
        loops = [loop for loop in self.loops if loop.trains]
        return [loop for loop in loops if not any(inner.trains for inner in loop.inner)]

    @cached_property
    def loops_with_steps(self) -> list[Loop]:
        """The innermost training loops, and those around them that go backward and step on their own
        as well: a generator's step after several of its critic."""
        outer = [loop for loop in self.loops if loop.trains and loop not in self.training_loops]
        return [*self.training_loops, *(loop for loop in outer if self._trains_itself(loop))]

    def _trains_itself(self, loop: Loop) -> bool:
        inner = [i.node for i in loop.inner if i.trains]
        own = [s.act for s in loop.steps if not any(self.within(s.via, i) for i in inner)]
        return Act.BACKWARD in own and Act.STEP in own

    def iterates_loader(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and node.args and not self._is_loader(node):
            return self.iterates_loader(node.args[0])
        return self._is_loader(node)

    def _is_loader(self, node: ast.expr) -> bool:
        return self.kind_of(node) is Kind.LOADER

    def loop_that_alone_sets(self, name: str) -> ast.For | None:
        """A loop over a loader in a function that sets a name nowhere else, and reads it behind the loop."""
        uses = [node for node in self.of(ast.Name) if node.id == name]
        for loop in self.of(ast.For):
            around, inside = self.function_around(loop), set(ast.walk(loop))
            of_loader = self.iterates_loader(loop.iter) or LOADER_LIKE.search(
                ast.unparse(loop.iter)
            )
            here = [each for each in uses if self.function_around(each) is around]
            apart = [each.ctx for each in here if each not in inside]
            if around and of_loader and apart and all(isinstance(c, ast.Load) for c in apart):
                return loop
        return None

    def evaluates_by_name(self, node: ast.AST) -> bool:
        """Whether the function around a node is named for evaluation."""
        function = self.function_around(node)
        return function is not None and EVALUATES.search(function.name.lower()) is not None

    def steps_in(self, body: list[ast.stmt]) -> Iterator[Step]:
        """The steps that some statements take, those of the project's functions that they call too."""
        for statement in body:
            for node in (statement, *self.below(statement, ast.Call, ast.Assign, ast.Delete)):
                yield from self._steps_of(node)

    def _steps_of(self, node: ast.AST) -> Iterator[Step]:
        if clears_by_hand(node):
            yield Step(Act.ZERO_GRAD, cast(ast.stmt, node), self.me, node)
        if not isinstance(node, ast.Call):
            return
        act = self.act_of(node)
        if act is not None and act is not Act.OPAQUE:
            yield Step(act, node, self.me, node)
            return
        function = self.definition(node.func)
        if function is not None and not isinstance(function.node, ast.ClassDef):
            for step in function.code.steps_of_function(function.node):
                yield step._replace(via=node)
        elif act is Act.OPAQUE or self._is_left_to_others(node.func):
            yield Step(Act.OPAQUE, node, self.me, node)

    def _is_left_to_others(self, function: ast.expr) -> bool:
        """Whether a method of `self` is one that only those have with which its class is mixed."""
        if not isinstance(function, ast.Attribute):
            return False
        owner = self.self_class(function.value)
        if owner is None or self.kind_of_class(owner) is not Kind.UNKNOWN:
            return False
        return not self.puts_on_self(owner, function.attr)

    @cached_property
    def _function_steps(self) -> dict[ast.AST, list[Step]]:
        return {}

    def steps_of_function(self, function: Function) -> list[Step]:
        """The steps that one call of a function takes."""
        if function not in self._function_steps:
            self._function_steps[function] = []  # for functions that call themselves
            self._function_steps[function] = list(self.steps_in(function.body))
        return self._function_steps[function]

    def may_go_backward(self, block: ast.AST) -> bool:
        """Whether a backward may be among the steps of a block, told by names alone: most loops have
        none, and what they do need not be known."""
        if block not in self._backward:
            self._backward[block] = False  # for functions that call themselves
            calls = self.below(block, ast.Call)
            here = any(self.written_name(call.func) in BACKWARD for call in calls)
            self._backward[block] = here or any(map(self._may_go_backward, calls))
        return self._backward[block]

    @cached_property
    def _backward(self) -> dict[ast.AST, bool]:
        return {}

    def _may_go_backward(self, call: ast.Call) -> bool:
        """Whether the function of the project that a call runs may."""
        function = self.definition(call.func)
        if function is None or isinstance(function.node, ast.ClassDef):
            return False
        return function.code.may_go_backward(function.node)

    def written_name(self, function: ast.expr) -> str:
        """The last part of what is called, a torch function under its own name."""
        if isinstance(function, ast.Attribute):
            return function.attr
        dotted = self.resolve(function)
        if dotted.startswith("torch."):
            return dotted.rpartition(".")[2]
        return getattr(function, "id", "")

    def act_of(self, call: ast.Call) -> Act | None:
        """What a call does in a training loop; OPAQUE where it may do anything to an optimizer."""
        function = call.func
        name = self.written_name(function)
        if CLEARS.search(name):
            return Act.ZERO_GRAD
        match name:
            case _ if name in BACKWARD:
                return Act.BACKWARD
            case "unscale_":
                return Act.UNSCALE
            case "clip_grad_norm_" | "clip_grad_value_" | "clip_grad_norm":
                return Act.CLIP
            case "step" if isinstance(function, ast.Attribute):
                return self._stepped(call, function.value)
        kind = self.kind_of(function)
        if kind is Kind.CRITERION or (
            self.resolve(function).startswith("torch.nn.functional.") and name.endswith(LOSS_NAMES)
        ):
            return Act.LOSS
        if kind in MODULES:
            return Act.FORWARD
        if any(
            self.kind_of(a) is Kind.OPTIMIZER
            for a in (*call.args, *(k.value for k in call.keywords))
        ):
            return None if name[:1].isupper() else Act.OPAQUE
        return None

    def _stepped(self, call: ast.Call, receiver: ast.expr) -> Act | None:
        kind = self.kind_of(receiver)
        if kind is Kind.SCHEDULER:
            return Act.SCHEDULE
        if kind in (Kind.OPTIMIZER, Kind.SCALER):
            return Act.STEP
        if kind is not Kind.UNKNOWN:
            return None
        text = ast.unparse(receiver).lower()
        if "sched" in text:
            return Act.SCHEDULE
        given = ast.unparse(call.args[0]).lower() if call.args else ""
        return Act.STEP if OPTIMIZERS.search(text) or OPTIMIZERS.search(given) else None


LOSS_NAMES = (
    "cross_entropy",
    "_loss",
    "kl_div",
    "binary_cross_entropy_with_logits",
    "nll_loss",
    "logits",
)


def clears_by_hand(node: ast.AST) -> bool:
    """`p.grad = None`, `p.grad.zero_()`, `p.grad.data.zero_()` or `del p.grad`."""
    match node:
        case ast.Assign(targets=[ast.Attribute(attr="grad")]):
            return True
        case ast.Delete(targets=[ast.Attribute(attr="grad")]):
            return True
        case ast.Call(
            func=ast.Attribute(
                attr="zero_" | "fill_" | "detach_", value=ast.Attribute(attr="grad" | "data")
            )
        ):
            return True
    return False
