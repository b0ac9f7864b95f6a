"""The state of an abstract execution: heap, frames, the events so far, and what they have cost."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from keng.source.execution.conditions import Conditions
from keng.source.execution.events import Alternative, Did, Event, Exit, Node, Round
from keng.source.execution.values import (
    CONSTANT,
    TRUE,
    UNKNOWN,
    Class,
    Constant,
    Cut,
    External,
    Gradient,
    Namespace,
    Object,
    Phi,
    Role,
    Scope,
    Symbol,
    Tensor,
    Value,
    contents,
    joined,
    leaves,
)
from keng.source.project.trees import Trees
from keng.source.tree import Tree

STEPS_OF_ENTRY, STEPS_OF_FILE = 8_000, 12_000
"""Training scripts of 800 lines take 6,000. More is taken by files of tests, where nothing was ever found."""
DEEPEST = 8
"""Calls within calls that are followed."""
MOST_EVENTS = 4_000
MISSING: Any = object()
Store = dict[object, Any]


class BudgetError(Exception):
    """The execution costs too much: nothing more is said about what it runs."""


class Recording(NamedTuple):
    """Whether autograd records, and the node that switched it."""

    state: Value
    node: ast.AST | None = None
    tree: Tree | None = None
    how: str = ""


class Frame:
    """A function that is running, or a module. `path` are the conditions under which it is where it is,
    `returned` the values it may return, each with its path."""

    def __init__(self, scope: Scope, home: Namespace, owner: Class | None = None) -> None:
        self.scope = scope
        self.home = home
        self.owner = owner
        self.path: list[Value] = []
        self.returned: list[tuple[list[Value], Value]] = []
        self.receiver: Value | None = None


class Machine:
    """`evaluate`, `execute` and `call` are the interpreter's, for those that it is composed of."""

    evaluate: Callable[[ast.expr], Value]
    execute: Callable[[Sequence[ast.stmt]], bool]
    call: Callable[[Value, list[Value], dict[str, Value], ast.AST], Value]
    attribute: Callable[[Value, str], Value]
    assign: Callable[[ast.expr, Value], None]

    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.conditions = Conditions()
        self.frames: list[Frame] = []
        self.running: list[ast.AST] = []
        self.course: list[Node] = []
        self.loops: list[Round] = []
        self.recording: list[Recording] = [Recording(TRUE)]
        self.owners: dict[int, set[int]] = {}
        self.learning: dict[int, Value] = {}
        self.events: list[Event] = []
        self.steps = 0
        self.total = 0
        self._trail: list[tuple[Store, object, Any]] = []
        self._places: list[ast.AST] = []

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def here(self) -> Tree:
        """The file of the code that runs."""
        return self.frame.home.tree

    def tick(self) -> None:
        self.steps += 1
        if self.steps > STEPS_OF_ENTRY or self.total + self.steps > STEPS_OF_FILE:
            raise BudgetError

    def write(self, store: Store, key: object, value: Any) -> None:
        """Every write to scopes and objects: it can be rolled back."""
        self._trail.append((store, key, store.get(key, MISSING)))
        store[key] = value

    def mark(self) -> int:
        return len(self._trail)

    def keep(self, mark: int) -> None:
        """What was written since a mark is no longer rolled back."""
        del self._trail[mark:]

    def changes(self, mark: int) -> dict[tuple[int, object], tuple[Store, Any, Any]]:
        """What was written since a mark: the store, the value before and the value now."""
        found: dict[tuple[int, object], tuple[Store, Any, Any]] = {}
        for store, key, before in self._trail[mark:]:
            at = id(store), key
            was = found[at][1] if at in found else before
            found[at] = store, was, store.get(key, MISSING)
        return found

    def _roll_back(self, mark: int) -> None:
        for store, key, before in reversed(self._trail[mark:]):
            if before is MISSING:
                store.pop(key, None)
            else:
                store[key] = before
        del self._trail[mark:]

    @contextmanager
    def on_course(self) -> Iterator[list[Node]]:
        """Collects the events of a block apart."""
        outer, self.course = self.course, []
        try:
            yield self.course
        finally:
            self.course = outer

    def branch(
        self, condition: Value, yes: Callable[[], bool], no: Callable[[], bool]
    ) -> tuple[bool, bool]:
        """Runs both branches from one state and joins what they wrote; says whether each of them leaves."""
        if isinstance(condition, Constant):
            return (yes(), True) if condition.value else (True, no())
        mark = self.mark()
        left_yes, course_yes, wrote_yes = self._try(condition, yes, mark)
        left_no, course_no, wrote_no = self._try(self.conditions.negation(condition), no, mark)
        if course_yes or course_no:
            self.course.append(Alternative(condition, course_yes, course_no))
        if not (left_yes and left_no):
            for at in {**wrote_yes, **wrote_no}:
                self._join(condition, at[1], wrote_yes.get(at), wrote_no.get(at), left_yes, left_no)
        return left_yes, left_no

    def _try(
        self, condition: Value, run: Callable[[], bool], mark: int
    ) -> tuple[bool, list[Node], dict[tuple[int, object], tuple[Store, Any, Any]]]:
        path = self.frame.path
        depth = len(path)
        path.append(condition)
        try:
            with self.on_course() as course:
                left = run()
        finally:
            del path[depth:]
        wrote = self.changes(mark)
        self._roll_back(mark)
        return left, course, wrote

    def _join(
        self,
        condition: Value,
        key: object,
        yes: tuple[Store, Any, Any] | None,
        no: tuple[Store, Any, Any] | None,
        left_yes: bool,
        left_no: bool,
    ) -> None:
        written = yes or no
        assert written is not None, "a branch wrote it"
        store, before = written[0], written[1]
        one = yes[2] if yes else before
        other = no[2] if no else before
        if left_yes or one is MISSING:
            value = other
        elif left_no or other is MISSING:
            value = one
        else:
            value = self._merged(condition, one, other)
        if value is not MISSING:
            self.write(store, key, value)

    def _merged(self, condition: Value, one: Any, other: Any) -> Any:
        if isinstance(one, Value) and isinstance(other, Value):
            return self.conditions.join(condition, one, other)
        return one

    def record(
        self, did: Did, objects: Sequence[Value], node: ast.AST, flag: Value | None = None
    ) -> None:
        place = node if self.here is self.tree else self._way_here(node)
        path = tuple(condition for frame in self.frames for condition in frame.path)
        state = self.recording[-1].state
        loops = tuple(self.loops)
        event = Event(did, tuple(objects), node, self.here, place, state, loops, path, flag)
        self.events.append(event)
        self.course.append(event)
        if len(self.events) > MOST_EVENTS:
            raise BudgetError

    def _way_here(self, node: ast.AST) -> ast.AST:
        """The innermost call in the analysed file that leads to the code that runs."""
        inside = self.tree.parent
        return next((place for place in reversed(self._places) if place in inside), node)

    @contextmanager
    def running_call(self, frame: Frame, function: ast.AST, call: ast.AST) -> Iterator[None]:
        self.frames.append(frame)
        self.running.append(function)
        self._places.append(call)
        try:
            yield
        finally:
            self._places.pop()
            self.running.pop()
            self.frames.pop()

    def leave(self, how: str) -> bool:
        self.course.append(Exit(how))
        return True

    def adopt(self, owner: Value, part: Value) -> None:
        """A module or parameter becomes a part of a module."""
        if isinstance(part, Object) and part.role is Role.SEQUENCE:
            for each in contents(part):
                self.adopt(owner, each)
        elif isinstance(owner, Object) and isinstance(part, (Object, Tensor)):
            ours = isinstance(part, Tensor) or part.role in (Role.MODULE, Role.LOSS)
            if ours and part.number != owner.number:
                self.owners.setdefault(part.number, set()).add(owner.number)

    def are_related(self, one: int, other: int) -> bool:
        """Whether one module or parameter is the other or a part of it."""
        return one in self._with_owners(other) or other in self._with_owners(one)

    def _with_owners(self, number: int) -> set[int]:
        seen, left = set[int](), [number]
        while left:
            at = left.pop()
            if at not in seen:
                seen.add(at)
                left += self.owners.get(at, ())
        return seen

    def is_part_of(self, part: int, whole: int) -> bool:
        return whole in self._with_owners(part)

    def reaches(self, held: frozenset[int], sources: frozenset[int]) -> bool:
        """Whether gradients of `sources` are those of what is held."""
        return any(self.are_related(one, other) for one in held for other in sources)

    # Gradients

    @property
    def records(self) -> bool:
        """Whether autograd may record here."""
        state = self.recording[-1].state
        return not (isinstance(state, Constant) and not state.value)

    @contextmanager
    def recorded(self, state: Value, node: ast.AST, how: str) -> Iterator[None]:
        self.recording.append(Recording(state, node, self.here, how))
        try:
            yield
        finally:
            self.recording.pop()

    def computed(self, operands: Sequence[Value], extra: frozenset[int] = frozenset()) -> Tensor:
        """What an operation computes, with the modules whose parameters it uses besides."""
        parts = tuple(each for each in self.tensors(operands) if each.gradient is not CONSTANT)
        gradients = [self.gradient_of(each) for each in operands]
        if extra:
            gradients.append(Gradient(extra))
        gradient = joined(gradients) if gradients else CONSTANT
        if self.records:
            return Tensor(gradient, parts)
        switch = self.recording[-1]
        return Tensor(self.without(gradient, switch.how, switch.node, switch.tree), parts)

    def changed(self, of: Tensor, value: Value) -> Value:
        """A tensor that an operation in place has given a value: where nothing is recorded it keeps its
        graph, and a leaf that learns remains one."""
        return of if of.gradient.sources and not self.records else value

    def cut(self, operand: Value, how: str, node: ast.AST) -> Tensor:
        """The value of a tensor without its graph."""
        return Tensor(self.without(self.gradient_of(operand), how, node, self.here))

    def without(
        self, gradient: Gradient, how: str, node: ast.AST | None, tree: Tree | None
    ) -> Gradient:
        if not gradient.sources or node is None or tree is None:
            return Gradient(frozenset(), gradient.cuts, gradient.known)
        new = Cut(how, node, tree, gradient.sources)
        return Gradient(frozenset(), gradient.cuts | {new}, gradient.known)

    def gradient_of(self, value: Value) -> Gradient:
        """What flows into a tensor, or into the tensors that a sequence, dict or optimizer argument holds."""
        if isinstance(value, Tensor):
            return value.gradient
        if isinstance(value, Symbol):
            return CONSTANT if value.plain else UNKNOWN
        if isinstance(value, Phi):
            return joined([self.gradient_of(value.yes), self.gradient_of(value.no)])
        if isinstance(value, Object) and value.role is Role.PARAMETERS:
            return Gradient(value.of)
        if isinstance(value, Object) and value.role in (Role.SEQUENCE, Role.DICT):
            inside = [self.gradient_of(each) for each in contents(value)[:20]]
            known = value.items is not None or bool(inside)
            return joined([*inside, CONSTANT if known else UNKNOWN])
        if isinstance(value, Object) and value.role is Role.MODULE:
            return Gradient(frozenset({value.number}))
        return CONSTANT if isinstance(value, (Constant, External)) else UNKNOWN

    def tensors(self, values: Sequence[Value]) -> list[Tensor]:
        """The tensors among values, those in sequences as well."""
        found: list[Tensor] = []
        for value in values:
            for each in leaves(value):
                if isinstance(each, Tensor):
                    found.append(each)
                elif isinstance(each, Object) and each.role in (Role.SEQUENCE, Role.DICT):
                    found += [v for v in contents(each)[:20] if isinstance(v, Tensor)]
        return found

    def holders(self, values: Sequence[Value], depth: int = 2) -> list[Object]:
        """The objects among values that code may change: modules, optimizers, schedulers, samplers."""
        found: list[Object] = []
        for value in values:
            for each in leaves(value):
                if not isinstance(each, Object):
                    continue
                if each.role in CHANGEABLE:
                    found.append(each)
                elif each.role in CONTAINERS and depth:
                    inside = [v for v in each.fields.values() if isinstance(v, Value)]
                    found += self.holders([*(each.items or ()), *inside], depth - 1)
        return found

    def escape(self, values: Sequence[Value], node: ast.AST) -> None:
        """Objects are given to code that keng does not know."""
        held = self.holders(values)
        if held:
            self.record(Did.ESCAPE, held, node)


CHANGEABLE = frozenset(
    {Role.MODULE, Role.OPTIMIZER, Role.SCHEDULER, Role.SCALER, Role.SAMPLER, Role.LOADER}
)
CONTAINERS = frozenset({Role.INSTANCE, Role.SEQUENCE, Role.DICT})
