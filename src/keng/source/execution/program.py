"""A program as keng runs it: the file itself, then every function of it that nothing has called."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TypeVar

from keng.model import Hit
from keng.source.execution.automaton import Automaton, Rule, kinds_in
from keng.source.execution.calls import Caller
from keng.source.execution.events import Did, Event, Node
from keng.source.execution.expressions import Expressions
from keng.source.execution.heap import Heap
from keng.source.execution.library import Library
from keng.source.execution.machine import BudgetError, Frame, Machine
from keng.source.execution.methods import Methods
from keng.source.execution.modules import Modules
from keng.source.execution.statements import Statements
from keng.source.execution.usage import Usage
from keng.source.execution.values import (
    Class,
    Cut,
    Function,
    Gradient,
    Namespace,
    Object,
    Role,
    Symbol,
    Value,
    leaves,
)
from keng.source.loops import CALLS_BACKWARD
from keng.source.project.trees import Trees
from keng.source.tree import Tree

R = TypeVar("R", bound=Rule)
MAY_TRAIN = frozenset({b"DistributedSampler"})
"""Words of a file that prepares what another one trains on."""
MOST_WORK_OF_FILE = 100_000
"""Work of all rules of one class in a file. The class is silent about what is left."""


class Execution:
    """The courses of events of one file, for rules to watch."""

    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self._work = Counter[type[Rule]]()

    @cached_property
    def machine(self) -> Machine:
        return Machine(self.tree, self.trees)

    @cached_property
    def courses(self) -> list[list[Node]]:
        """What happens in the file as it runs, and in each function that nothing else calls."""
        return Program(self.machine).courses() if self._trains else []

    @cached_property
    def _trains(self) -> bool:
        """Whether the file goes backward, or prepares for a file that does: every rule reports a fault of
        training."""
        if not self.tree.relevant or self.tree.is_native:
            return False
        if CALLS_BACKWARD.search(self.tree.data):
            return True
        prepares = not MAY_TRAIN.isdisjoint(self.tree.source.words)
        return prepares and self.trees.files.contains(CALLS_BACKWARD, self.tree.path)

    @cached_property
    def _kinds(self) -> list[frozenset[Did]]:
        """The kinds of events in each course."""
        return [frozenset(kinds_in(course)) for course in self.courses]

    @cached_property
    def events(self) -> list[Event]:
        return self.machine.events if self.courses else []

    def objects(self, role: Role) -> list[Object]:
        """The objects of a role that take part in the events of the file, in their order."""
        found: dict[int, Object] = {}
        for event in self.events:
            for value in event.objects:
                for each in [*leaves(value), *_sampler_of(value)]:
                    if isinstance(each, Object) and each.role is role:
                        found.setdefault(each.number, each)
        return list(found.values())

    def is_part_of(self, part: Object | Symbol, whole: Value) -> bool:
        """Whether a module is another one or a part of it."""
        return isinstance(whole, (Object, Symbol)) and self.machine.is_part_of(
            part.number, whole.number
        )

    def gradient_of(self, value: Value) -> Gradient:
        return self.machine.gradient_of(value)

    def reaches(self, optimizer: Value, sources: frozenset[int]) -> bool:
        """Whether an optimizer holds parameters of some sources of gradients; an unknown one may."""
        if not isinstance(optimizer, Object) or not optimizer.of:
            return bool(sources)
        return self.machine.reaches(optimizer.of, sources)

    def optimizers(self) -> list[Object | Symbol]:
        """The optimizers that step in the file, and the unknown values that step and are cleared."""
        cleared = self._symbols(Did.ZERO_GRAD)
        known = [each for each in self._symbols(Did.STEP) if each in cleared]
        return [*self.objects(Role.OPTIMIZER), *known]

    def _symbols(self, did: Did) -> list[Symbol]:
        of = [value for event in self.events if event.did is did for value in event.objects]
        return list(dict.fromkeys(each for each in of if isinstance(each, Symbol)))

    def counts(self, condition: Value) -> bool:
        """Whether a condition asks for a counter."""
        return self.machine.conditions.counts(condition)

    def named(self, event: Event) -> str:
        """What the analysed file calls the receiver of the call that an event is."""
        match event.node:
            case ast.Call(func=ast.Attribute(value=receiver)) if event.tree is self.tree:
                return self.tree.text_of(receiver)
        return ""

    def is_shown(self, place: ast.AST, hits: Iterable[Hit]) -> bool:
        """Whether one of some hits is in the function that a node is in: rules on the text of a program
        may have found the same fault."""
        body = self.tree.enclosing_body(place)
        lines = [hit.where.line for hit in hits if hit.where is not None]
        return any(self.tree.body_at(line) is body for line in lines)

    def where(self, cut: Cut) -> str:
        """The file and line of a cut."""
        return f"{os.path.basename(cut.tree.path)}:{getattr(cut.node, 'lineno', 0)}"

    def watched(self, rule: R) -> R:
        """The rule after it has seen the events on all paths, as far as these can be distinguished, of the
        courses in which it may report something."""
        for course, kinds in zip(self.courses, self._kinds, strict=True):
            if rule.needs <= kinds and self._work[type(rule)] < MOST_WORK_OF_FILE:
                self._work[type(rule)] += Automaton(rule).run(course)
        return rule


def _sampler_of(value: Value) -> list[Value]:
    loaders = [each for each in leaves(value) if isinstance(each, Object)]
    samplers = [each.fields.get("sampler") for each in loaders if each.role is Role.LOADER]
    return [leaf for each in samplers if isinstance(each, Value) for leaf in leaves(each)]


class Program:
    """Composes the interpreter of a machine and runs the file with it."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._modules = Modules(machine)
        heap = Heap(machine, self._modules)
        expressions = Expressions(machine, self._modules, heap)
        statements = Statements(machine, self._modules, heap, expressions)
        library, methods = Library(machine, heap), Methods(machine, heap)
        self._caller = Caller(machine, self._modules, heap, library, methods)
        self._usage = Usage(self._modules)
        machine.evaluate = expressions.of
        machine.execute = statements.run
        machine.assign = statements.assign
        machine.attribute = heap.attribute
        machine.call = self._caller.call

    def courses(self) -> list[list[Node]]:
        home = self._modules.of(self._machine.tree)
        found = [self._course(home, lambda: self._machine.execute(home.tree.root.body))]
        instances: dict[Class, Value] = {}
        for function in self._uncalled(home):
            found.append(self._course(home, partial(self._enter, function, instances)))
        return [course for course in found if course]

    def _course(self, home: Namespace, run: Callable[[], object]) -> list[Node]:
        """The events of one entry; none where it costs too much."""
        machine = self._machine
        machine.frames[:] = [Frame(home.scope, home)]
        machine.running.clear()
        machine.loops.clear()
        known = len(machine.events)
        try:
            with machine.on_course() as course:
                run()
        except (BudgetError, RecursionError):
            del machine.events[known:]
            course = []
        finally:
            machine.total += machine.steps
            machine.steps = 0
        return course

    def _uncalled(self, home: Namespace) -> list[Function]:
        """The functions and methods of the file, those first that the file itself never names."""
        functions: list[Function] = []
        for value in list(home.scope.values.values()):
            if isinstance(value, Function) and value.home is home:
                functions.append(value)
            elif isinstance(value, Class) and value.home is home:
                methods = [each for each in value.fields.values() if isinstance(each, Function)]
                functions += [each for each in methods if each.owner is value]
        named = {*self._machine.tree.names_by_id, *self._machine.tree.attributes_by_name}
        return sorted(functions, key=lambda each: getattr(each.node, "name", "") in named)

    def _enter(self, function: Function, instances: dict[Class, Value]) -> None:
        node = function.node
        name = getattr(node, "name", "__init__")
        hidden = name.startswith("__") and name != "__call__"
        if node in self._caller.called or hidden or name == "forward":
            return
        if not self._usage.learns(function):
            return
        owner = function.owner
        if owner is None:
            self._caller.invoke(function, [], {}, node)
            return
        if owner not in instances:
            instances[owner] = self._caller.make(owner, [], {}, owner.node)
        self._machine.call(self._machine.attribute(instances[owner], name), [], {}, node)
