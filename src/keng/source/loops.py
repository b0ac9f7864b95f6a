"""Training loops: a `for` or `while` with the steps of one iteration, in order, those taken inside helper
functions and methods of the project included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple, cast

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import LOOPS, Function, Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import MODULES, Kind

LoopNode = ast.For | ast.AsyncFor | ast.While
BACKWARD = frozenset({"backward", "manual_backward"})
CALLS_BACKWARD = re.compile(
    rb"backward(?:(?<!\wbackward)|(?<=manual_backward))(?<!def backward)\s*\("
)
"""How a file shows that it goes backward. A `backward` that it defines may be that of an operation. The word
comes first: so the search skips to it."""
CLEARS = re.compile(r"(zero|reset|clear)_?grads?|zero_grad|clear_gradients?")
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
    UNKNOWN = "unknown"


class Step(NamedTuple):
    """One step: where it is written, and the call in the loop's own body by which it is reached."""

    act: Act
    call: ast.Call | ast.stmt
    tree: Tree
    reached_by: ast.AST


class Round:
    """One iteration: the body of a loop, or of a function that a loop elsewhere calls."""

    def __init__(self, loops: Loops, node: LoopNode | Function) -> None:
        self.loops = loops
        self.block = node

    @cached_property
    def steps(self) -> list[Step]:
        """The known steps of one iteration, in the order of the text."""
        return [step for step in self._calls if step.act is not Act.UNKNOWN]

    @cached_property
    def _calls(self) -> list[Step]:
        """The steps of one iteration; as UNKNOWN also the calls that may turn out to be no step."""
        return list(self.loops.steps_in(self.block.body))

    def all(self, act: Act) -> list[Step]:
        if act is Act.UNKNOWN:
            return [step for step in self._calls if step.act is act and self._is_unknown(step)]
        if act is Act.BACKWARD and not self.loops.may_go_backward(self.block):
            return []
        return [step for step in self.steps if step.act is act]

    def _is_unknown(self, step: Step) -> bool:
        return self.loops.of(step.tree).may_do_anything(step.call)

    def own(self, act: Act) -> list[Step]:
        """The steps in the block itself, not in what it calls."""
        return [step for step in self.all(act) if step.reached_by is step.call]

    def has(self, act: Act) -> bool:
        return bool(self.all(act))

    @cached_property
    def trains(self) -> bool:
        return self.has(Act.BACKWARD) and self.has(Act.STEP)


class Loop(Round):
    def __init__(self, loops: Loops, node: LoopNode) -> None:
        super().__init__(loops, node)
        self.node = node

    @cached_property
    def inner(self) -> list[Loop]:
        within = self.loops.tree.within
        return [
            loop for loop in self.loops.all if loop is not self and within(loop.node, self.node)
        ]

    @property
    def iterable(self) -> ast.expr | None:
        """What a `for` iterates over; None for a `while`."""
        return None if isinstance(self.node, ast.While) else self.node.iter

    @cached_property
    def iterable_names(self) -> list[str]:
        """The names in that, as they are written."""
        inner = ast.walk(self.iterable) if self.iterable is not None else ()
        return [ast.unparse(n) for n in inner if isinstance(n, (ast.Name, ast.Attribute))]

    @cached_property
    def over_loader(self) -> bool:
        """Whether it iterates over a data loader, directly or wrapped in enumerate or a progress bar."""
        return self.iterable is not None and self.loops.is_over_loader(self.iterable)


LOSS_NAMES = (
    "cross_entropy",
    "_loss",
    "kl_div",
    "binary_cross_entropy_with_logits",
    "nll_loss",
    "logits",
)
CARRYING = frozenset(
    ["AdamW", "Adam", "NAdam", "RAdam", "Adamax", "SparseAdam", "ASGD", "Rprop", "Muon"]
)
"""Optimizers of torch.optim that move a parameter on while its gradient is zero, at their defaults."""
OPTIMIZER_OPTIONS = ("weight_decay", "momentum")


class Loops:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Loops:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Loops, tree)

    @cached_property
    def all(self) -> list[Loop]:
        if not self._sees_backward:
            return []  # no loop of a program that never trains is of interest
        nodes = sorted(self.tree.nodes(*LOOPS), key=self.tree.position)
        return [Loop(self, cast(LoopNode, node)) for node in nodes]

    @cached_property
    def _sees_backward(self) -> bool:
        """Whether the file, one that it imports or one with a subclass of its own goes backward."""
        says = self.trees.files.contains(CALLS_BACKWARD, self.tree.path)
        return says or self.trees.subclasses_contain(CALLS_BACKWARD, self.tree)

    @cached_property
    def training(self) -> list[Loop]:
        """The innermost loops that take optimizer steps after backward."""
        loops = [loop for loop in self.all if loop.trains]
        return [loop for loop in loops if not any(inner.trains for inner in loop.inner)]

    def is_over_loader(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and node.args and not self._is_loader(node):
            return self.is_over_loader(node.args[0])
        return self._is_loader(node)

    def _is_loader(self, node: ast.expr) -> bool:
        return self.types.kind_of(node) is Kind.LOADER

    def steps_in(self, body: list[ast.stmt]) -> Iterator[Step]:
        """The steps that some statements take, those of the project's functions that they call too."""
        for statement in body:
            for node in (
                statement,
                *self.tree.descendants(statement, ast.Call, ast.Assign, ast.Delete),
            ):
                yield from self._steps_of(node)

    def _steps_of(self, node: ast.AST) -> Iterator[Step]:
        if clears_by_hand(node):
            yield Step(Act.ZERO_GRAD, cast(ast.stmt, node), self.tree, node)
        if not isinstance(node, ast.Call):
            return
        act = self.act_of(node)
        if act is not None:
            yield Step(act, node, self.tree, node)
            return
        function = self.types.definition(node.func)
        if function is not None and not isinstance(function.node, ast.ClassDef):
            for step in self.of(function.tree).steps_of_function(function.node):
                yield step._replace(reached_by=node)
        else:
            yield Step(Act.UNKNOWN, node, self.tree, node)

    def may_do_anything(self, call: ast.AST) -> bool:
        """Whether a call that no code of the project answers may do anything to an optimizer: it is given
        one, or it is a method that others define."""
        if not isinstance(call, ast.Call):
            return False
        given = (*call.args, *(keyword.value for keyword in call.keywords))
        makes = self.calls.attribute_name(call.func)[:1].isupper()
        takes = any(self.types.kind_of(each) is Kind.OPTIMIZER for each in given if not makes)
        return takes or self._is_left_to_others(call.func)

    def _is_left_to_others(self, function: ast.expr) -> bool:
        """Whether a method of `self` is one that only those have with which its class is mixed."""
        if not isinstance(function, ast.Attribute):
            return False
        owner = self.classes.self_class(function.value)
        if owner is None or self.types.kind_of_class(owner) is not Kind.UNKNOWN:
            return False
        return not self.classes.sets_attribute(owner, function.attr)

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
        if not self._sees_backward:
            return False
        if block not in self._backward:
            self._backward[block] = False  # for functions that call themselves
            calls = self.tree.descendants(block, ast.Call)
            here = any(self.calls.attribute_name(call.func) in BACKWARD for call in calls)
            self._backward[block] = here or any(map(self._may_go_backward, calls))
        return self._backward[block]

    @cached_property
    def _backward(self) -> dict[ast.AST, bool]:
        return {}

    def _may_go_backward(self, call: ast.Call) -> bool:
        """Whether the function of the project that a call runs may."""
        function = self.types.definition(call.func)
        if function is None or isinstance(function.node, ast.ClassDef):
            return False
        return self.of(function.tree).may_go_backward(function.node)

    def act_of(self, call: ast.Call) -> Act | None:
        """What a call does in a training loop, as far as its own name and kind tell."""
        function = call.func
        name = self.calls.attribute_name(function)
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
        kind = self.types.kind_of(function)
        if kind is Kind.CRITERION or (
            self.names.resolve(function).startswith("torch.nn.functional.")
            and name.endswith(LOSS_NAMES)
        ):
            return Act.LOSS
        return Act.FORWARD if kind in MODULES else None

    def _stepped(self, call: ast.Call, receiver: ast.expr) -> Act | None:
        kind = self.types.kind_of(receiver)
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

    def has_momentum(self, optimizer: ast.expr) -> bool:
        """Whether an optimizer is known to move parameters whose gradient is zero: by its own
        running averages, by momentum or by weight decay."""
        maker = self.types.value_of(optimizer)
        if maker.call is None or maker.kind is not Kind.OPTIMIZER:
            return False
        if maker.dotted.rpartition(".")[2] in CARRYING:
            return True
        given = [k.value for k in maker.call.keywords if k.arg in OPTIMIZER_OPTIONS]
        return any(isinstance(v, ast.Constant) and bool(v.value) for v in given)

    def optimizer_steps(self, loop: Loop) -> Iterator[tuple[ast.Call, str, ast.Call]]:
        """The steps of known optimizers that every round of a loop takes: the call, the optimizer's name,
        and the call that made it."""
        for step in loop.all(Act.STEP):
            call = step.call
            if (
                step.tree is not self.tree
                or not isinstance(call, ast.Call)
                or self.tree.is_conditional(call)
            ):
                continue
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            maker = self.types.value_of(owner)
            known = maker.kind is Kind.OPTIMIZER and maker.call in self.tree.parent
            if owner is not None and known and maker.call is not None and maker.call.args:
                yield call, ast.unparse(owner), maker.call

    def models_stepped(self, step: Step) -> list[str]:
        """The models, as text, whose parameters the optimizer was made for that a step is of."""
        function = step.call.func if isinstance(step.call, ast.Call) else None
        owner = function.value if isinstance(function, ast.Attribute) else None
        made = self.types.value_of(owner).call if owner is not None else None
        calls = [n for n in ast.walk(made) if isinstance(n, ast.Call)] if made is not None else []
        functions = [c.func for c in calls if isinstance(c.func, ast.Attribute)]
        return [self.submodule_name(f.value) for f in functions if f.attr == "parameters"]

    def submodule_name(self, model: ast.expr) -> str:
        """A model as text; a name that was given a part of another is that part."""
        value = self.flow.assigned_value(model)
        part = value if isinstance(value, (ast.Attribute, ast.Subscript)) else model
        return ast.unparse(part)


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
