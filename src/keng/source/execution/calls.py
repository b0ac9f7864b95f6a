"""Calls: functions of the project are followed within bounds, classes make objects."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from typing import Any

from keng.source.execution.events import Block, Did
from keng.source.execution.heap import Heap
from keng.source.execution.library import OPTIMIZERS, Call, Library
from keng.source.execution.machine import DEEPEST, Frame, Machine
from keng.source.execution.methods import Methods
from keng.source.execution.modules import Modules
from keng.source.execution.usage import Usage, role_of_argument
from keng.source.execution.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    Class,
    External,
    Function,
    Method,
    Object,
    Phi,
    Role,
    Scope,
    Symbol,
    Tensor,
    Value,
    sequence,
)
from keng.source.types.kinds import is_none

NETWORKS = ("model", "net", "policy", "actor", "critic", "encoder", "decoder", "generator", "disc")
MAKERS = ("get", "build", "create", "make", "load", "save", "init", "setup", "prepare")
BASES = {
    "Optimizer": Role.OPTIMIZER,
    "_LRScheduler": Role.SCHEDULER,
    "LRScheduler": Role.SCHEDULER,
    "DataLoader": Role.LOADER,
}
SWITCHES = {"no_grad": FALSE, "inference_mode": FALSE, "enable_grad": TRUE}


class Caller:
    def __init__(
        self, machine: Machine, modules: Modules, heap: Heap, library: Library, methods: Methods
    ) -> None:
        self._machine = machine
        self._modules = modules
        self._heap = heap
        self._library = library
        self._methods = methods
        self._usage = Usage(modules)
        self._conditions = machine.conditions
        self.called: set[ast.AST] = set()

    def call(
        self, function: Value, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        if isinstance(function, Phi):
            return self._either(function, arguments, named, node)
        if isinstance(function, Bound):
            return self.invoke(function.function, [function.receiver, *arguments], named, node)
        if isinstance(function, Function):
            return self.invoke(function, arguments, named, node)
        if isinstance(function, Class):
            return self.make(function, arguments, named, node)
        if isinstance(function, External):
            if function.dotted == "builtins.super":
                return self._parent()
            return self._library.call(function.dotted, arguments, named, node)
        if isinstance(function, Method):
            name = function.name
            return self._methods.call(function.receiver, name, arguments, named, node)
        if isinstance(function, Object):
            return self._call_object(function, arguments, named, node)
        if isinstance(function, Symbol):
            return self._call_unknown(function, arguments, named, node)
        return self._conditions.unknown()

    def _either(
        self, function: Phi, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        given: dict[bool, Value] = {}

        def take(side: bool, chosen: Value) -> bool:
            given[side] = self.call(chosen, arguments, named, node)
            return False

        yes, no = (lambda: take(True, function.yes)), (lambda: take(False, function.no))
        self._machine.branch(function.condition, yes, no)
        return self._conditions.join(function.condition, given[True], given[False])

    def _parent(self) -> Value:
        frame = self._machine.frame
        if frame.owner is None or frame.receiver is None:
            return self._conditions.unknown("super")
        made = Object(Role.PARENT, class_=frame.owner)
        made.fields["receiver"] = frame.receiver
        return made

    # Objects and unknown values that are called

    def _call_object(
        self, of: Object, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        every = [*arguments, *named.values()]
        if of.role in (Role.MODULE, Role.LOSS):
            found = self._forward(of, arguments, named, node)
            return found if found is not None else self._methods.forward(of, every, node)
        own = self._heap.look_up(of.class_, "__call__") if of.class_ is not None else None
        if isinstance(own, Function):
            return self.invoke(own, [of, *arguments], named, node)
        self._machine.escape(every, node)
        return self._unknown_result(every)

    def _forward(
        self, of: Object, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """What a module of the project gives, where its forward does more than to compute."""
        if of.class_ is None:
            return None
        for name in ("__call__", "forward"):
            found = self._heap.look_up(of.class_, name)
            if not isinstance(found, Function) or not self._usage.is_relevant(found):
                continue
            if self._may_follow(found):
                if of.role is Role.MODULE:
                    self._methods.forward(of, [], node)
                value = self.invoke(found, [of, *arguments], named, node)
                return value if self._machine.tensors([value]) else None
        return None

    def _call_unknown(
        self, of: Symbol, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        every = [*arguments, *named.values()]
        owner = self._conditions.by_number.get(of.how[1]) if of.operator == "attribute" else None
        if owner is not None:
            call = Call(of.name, of.name, arguments, named, node)
            known = self._methods.by_protocol(owner, call)
            if known is not None:
                return known
        name = of.name.lower()
        if ("loss" in name or "criterion" in name) and not self._machine.holders(every):
            return self._machine.computed(every)
        self._machine.escape(every, node)
        first = name.lstrip("_").split("_")[0]
        network = any(word in name for word in NETWORKS) and first not in MAKERS
        if network and not of.plain:
            self._machine.record(Did.FORWARD, [of], node)
            return self._machine.computed(every, frozenset({of.number}))
        return self._unknown_result(every, of.name)

    def _unknown_result(self, every: list[Value], name: str = "") -> Value:
        if self._machine.tensors(every):
            made = self._machine.computed(every)
            return Tensor(made.gradient._replace(known=False), made.parts)
        return self._conditions.unknown(name)

    # Classes

    def make(
        self, owner: Class, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        role = self.role_of(owner)
        every = [*arguments, *named.values()]
        call = Call(owner.node.name, owner.node.name, arguments, named, node)
        if role is Role.OPTIMIZER:
            return self._library.optimizer(call)
        made = Object(role, f"{owner.home.tree.module}.{owner.node.name}", owner)
        made.node, made.tree = node, self._machine.here
        if role is Role.LOADER:
            made.fields["sampler"] = named.get("sampler", NONE)
        init = self._heap.look_up(owner, "__init__")
        if isinstance(init, Function):
            self.invoke(init, [made, *arguments], named, node)
        else:
            self._fill(made, owner, arguments, named)
        if role is Role.LOSS and self._machine.holders([*every, made]):
            made.role = Role.MODULE
        return made

    def _fill(
        self, made: Object, owner: Class, arguments: list[Value], named: dict[str, Value]
    ) -> None:
        """The fields of a data class."""
        fields = [
            each.target.id
            for each in owner.node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
        for name, value in [*zip(fields, arguments, strict=False), *named.items()]:
            made.fields[f".{name}"] = value

    def role_of(self, owner: Class, depth: int = 8) -> Role:
        for base in owner.bases:
            if isinstance(base, Class) and depth:
                found = self.role_of(base, depth - 1)
                if found is not Role.INSTANCE:
                    return found
            dotted = base.dotted if isinstance(base, External) else getattr(base, "name", "")
            last = dotted.rpartition(".")[2]
            if last in OPTIMIZERS or last in BASES:
                return BASES.get(last, Role.OPTIMIZER)
            if _is_module(dotted, last):
                return Role.LOSS if owner.node.name.endswith("Loss") else Role.MODULE
        return Role.INSTANCE

    # Functions

    def _may_follow(self, function: Function) -> bool:
        running = self._machine.running
        return len(running) < DEEPEST and running.count(function.node) < 2

    def invoke(
        self, function: Function, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        self.called.add(function.node)
        every = [*arguments, *named.values()]
        if not self._may_follow(function):
            self._machine.escape(every, node)
            return self._unknown_result(every)
        if self._usage.is_abstract(function):
            return self._unknown_result(every)
        if isinstance(function.node, ast.Lambda):
            return self._evaluate(function, arguments, named, node)
        if self._may_skip(function):
            return self._skipped(function, arguments, every, node)
        return self._run(function, arguments, named, node)

    def _may_skip(self, function: Function) -> bool:
        """Whether nothing that a function does is an event or cuts a gradient."""
        makes = getattr(function.node, "name", "") == "__init__"
        return not (makes or self._usage.is_relevant(function) or self._usage.is_short(function))

    def _skipped(
        self, function: Function, arguments: list[Value], every: list[Value], node: ast.AST
    ) -> Value:
        receiver = arguments[0] if arguments and function.owner is not None else None
        if isinstance(receiver, Object) and receiver.role is Role.MODULE:
            return self._methods.forward(receiver, every[1:], node)
        held = [each for each in self._machine.holders(every) if each.role is Role.MODULE]
        if not self._machine.tensors(every) and not held:
            return self._conditions.unknown(getattr(function.node, "name", ""))
        for each in held:
            self._machine.record(Did.FORWARD, [each], node)
        return self._machine.computed(every, frozenset(each.number for each in held))

    def _evaluate(
        self, function: Function, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        assert isinstance(function.node, ast.Lambda), "a lambda is evaluated"
        frame = Frame(Scope(function.scope), function.home)
        self._bind(frame, function, arguments, named)
        with self._machine.running_call(frame, function.node, node):
            return self._machine.evaluate(function.node.body)

    def _run(
        self, function: Function, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        body: Any = function.node
        frame = Frame(Scope(function.scope), function.home, function.owner)
        frame.receiver = arguments[0] if arguments and function.owner is not None else None
        with self._machine.running_call(frame, function.node, node):
            self._bind(frame, function, arguments, named, _is_entry(function, node))
            with ExitStack() as stack, self._machine.on_course() as course:
                for state, decorator in self._switches(function):
                    how = self._library_name(decorator)
                    stack.enter_context(self._machine.recorded(state, decorator, f"@{how}"))
                left = self._machine.execute(body.body)
        if course:
            self._machine.course.append(Block("return", course))
        if self._usage.is_generator(function):
            return self._generator(function)
        return self._returned(frame, left)

    def _generator(self, function: Function) -> Value:
        name = getattr(function.node, "name", "")
        if not any(word in name for word in ("batch", "load", "iter")):
            return self._conditions.unknown(name)
        made = Object(Role.LOADER)
        made.node, made.tree = function.node, function.home.tree
        made.fields["sampler"] = NONE
        return made

    def _returned(self, frame: Frame, left: bool) -> Value:
        """What a function gives: its last `return`, or an earlier one under the conditions of that."""
        value: Value | None = None if left and frame.returned else NONE
        for path, given in reversed(frame.returned):
            condition = self._conditions.combine("and", path) if path else self._conditions.test()
            value = given if value is None else self._conditions.join(condition, given, value)
        return value if value is not None else NONE

    def _switches(self, function: Function) -> list[tuple[Value, ast.expr]]:
        """The decorators of a function that switch the recording of gradients."""
        decorators: list[ast.expr] = getattr(function.node, "decorator_list", [])
        named = [(self._library_name(each), each) for each in decorators]
        return [(SWITCHES[name], each) for name, each in named if name in SWITCHES]

    def _library_name(self, decorator: ast.expr) -> str:
        """The name that a library gives a decorator; of another one that in the text."""
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        value = self._machine.evaluate(called) if isinstance(called, ast.Name) else None
        if isinstance(value, External):
            return value.dotted.rpartition(".")[2]
        return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")

    def _bind(
        self,
        frame: Frame,
        function: Function,
        arguments: list[Value],
        named: dict[str, Value],
        entry: bool = False,
    ) -> None:
        """Gives the parameters of a function their values. Whoever calls an entry of the program may give
        more than it requires: what is None by default is unknown then."""
        given, values = function.node.args, frame.scope.values
        positional = [each.arg for each in (*given.posonlyargs, *given.args)]
        by_name = {*positional, *(each.arg for each in given.kwonlyargs)}
        values.update(zip(positional, arguments, strict=False))
        values.update({name: value for name, value in named.items() if name in by_name})
        if given.vararg is not None:
            values[given.vararg.arg] = sequence(tuple(arguments[len(positional) :]))
        if given.kwarg is not None:
            rest = Object(Role.DICT)
            extra = {k: v for k, v in named.items() if k not in by_name}
            rest.fields |= {("item", name): value for name, value in extra.items()}
            values[given.kwarg.arg] = rest
        for name, default in _defaults(given):
            if name not in values and not (entry and is_none(default)):
                values[name] = self._machine.evaluate(default)
        self._invent(frame, function, [n for n in sorted(by_name) if n not in values])

    def _invent(self, frame: Frame, function: Function, missing: list[str]) -> None:
        """Values of the arguments that nobody gives, by what the function does with them."""
        values = frame.scope.values
        roles = {name: role_of_argument(function, name) for name in missing}
        modules = [name for name in missing if roles[name] is Role.MODULE]
        for name in missing:
            role = roles[name]
            if role is None:
                values[name] = self._conditions.symbol(
                    "argument", id(function.node), name, name=name, plain=False
                )
                continue
            made = values[name] = Object(role, name)
            made.node, made.tree, made.given = function.node, function.home.tree, True
        for name in missing:
            if roles[name] is Role.OPTIMIZER:
                values[name].of = frozenset(values[each].number for each in modules)


def _is_entry(function: Function, node: ast.AST) -> bool:
    """Whether a function is run because nothing in the program calls it, or as the constructor of an object
    that nothing makes."""
    owner = function.owner.node if function.owner is not None else None
    return node is function.node or node is owner


def _defaults(given: ast.arguments) -> list[tuple[str, ast.expr]]:
    positional = [*given.posonlyargs, *given.args]
    behind = positional[len(positional) - len(given.defaults) :]
    pairs = [(each.arg, value) for each, value in zip(behind, given.defaults, strict=True)]
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return pairs + [(each.arg, value) for each, value in named if value is not None]


def _is_module(dotted: str, last: str) -> bool:
    named = last.endswith(("Module", "PreTrainedModel", "Sequential", "Brain", "Model", "Net"))
    return (named or dotted.startswith("torch.nn.")) and not last.endswith("DataModule")
