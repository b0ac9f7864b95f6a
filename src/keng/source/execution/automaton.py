"""Runs a rule over a course of events, on all paths that its conditions allow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from typing import Protocol

from keng.source.execution.events import Alternative, Block, Did, Event, Exit, Node, Repeat
from keng.source.execution.values import Value
from keng.source.execution.worlds import (
    Atom,
    World,
    asked_again,
    conditions_of,
    is_asked,
    values_of,
)

MOST_WORLDS = 64
MOST_WORK = 40_000
ROUNDS = 4
"""Iterations of a loop after which no new state is expected."""
State = Hashable
Path = tuple[State, World]


class Rule(Protocol):
    """An automaton: it begins in `start`, and an event of one of its kinds may lead to another state. It
    reports nothing in a course without an event of each kind that it `needs`."""

    kinds: frozenset[Did]
    needs: frozenset[Did]
    start: State

    def after(self, event: Event, state: State, world: World) -> State:
        """The state after an event."""


class TooManyError(Exception):
    """More worlds than can be told apart. To forget some would mix paths that exclude each other."""


class Automaton:
    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._work = 0
        self._remembered: set[Atom] = set()

    def run(self, course: list[Node]) -> int:
        """Lets the rule see the paths through a course, up to where they are too many; the work it took."""
        course = _pruned(course, self._rule.kinds)
        self._remembered = asked_again(course)
        with suppress(TooManyError):
            self._follow(course, [(self._rule.start, World())])
        return self._work

    def _follow(self, course: list[Node], paths: list[Path]) -> tuple[list[Path], Left]:
        """The paths that continue behind a course, and those that left it."""
        left: Left = defaultdict(list)
        for node in course:
            self._work += len(paths) + 1
            if self._work > MOST_WORK:
                raise TooManyError
            if not paths:
                break
            paths = _distinct(self._step(node, paths, left))
        return paths, left

    def _step(self, node: Node, paths: list[Path], left: Left) -> list[Path]:
        if isinstance(node, Event):
            decided = self._decided(node, paths)
            return [(self._rule.after(node, state, world), world) for state, world in decided]
        if isinstance(node, Exit):
            left[node.how] += paths
            return []
        if isinstance(node, Alternative):
            return self._either(node, paths, left)
        if isinstance(node, Repeat):
            return self._repeat(node, paths, left)
        behind, inner = self._follow(node.body, paths)
        behind += inner.pop(node.ends, [])
        _add(left, inner)
        return behind

    def _decided(self, event: Event, paths: list[Path]) -> list[Path]:
        """The paths on which it is decided what the objects of an event are, where that matters elsewhere."""
        for condition in [c for value in values_of(event) for c in conditions_of(value)]:
            if is_asked(condition, self._remembered):
                paths = [(s, each) for s, world in paths for each in self._ways(condition, world)]
        return _distinct(paths)

    def _ways(self, condition: Value, world: World) -> list[World]:
        if world.holds(condition) is not None:
            return [world]
        return [world.supposing(condition, side, self._remembered) for side in (True, False)]

    def _either(self, node: Alternative, paths: list[Path], left: Left) -> list[Path]:
        behind: list[Path] = []
        for answer, course in ((True, node.yes), (False, node.no)):
            entering = []
            for state, world in paths:
                known = world.holds(node.condition)
                if known is None:
                    supposed = world.supposing(node.condition, answer, self._remembered)
                    entering.append((state, supposed))
                elif known is answer:
                    entering.append((state, world))
            through, inner = self._follow(course, _distinct(entering))
            behind += through
            _add(left, inner)
        return behind

    def _repeat(self, node: Repeat, paths: list[Path], left: Left) -> list[Path]:
        done: list[Path] = []
        broken: list[Path] = []
        for _ in range(ROUNDS):
            paths, inner = self._follow(node.body, paths)
            paths += inner.pop("continue", [])
            broken += inner.pop("break", [])
            _add(left, inner)
            paths = _distinct([(state, world.before(node.birth)) for state, world in paths])
            seen = {_identity(path) for path in done}
            if all(_identity(path) in seen for path in paths):
                break
            done = _distinct(done + paths)
        return done + broken


Left = defaultdict[str, list[Path]]


def _identity(path: Path) -> tuple[State, object]:
    return path[0], path[1].assumed


def _distinct(paths: Iterable[Path]) -> list[Path]:
    found = {_identity(path): path for path in paths}
    if len(found) > MOST_WORLDS:
        raise TooManyError
    return list(found.values())


def _add(left: Left, more: Left) -> None:
    for how, paths in more.items():
        left[how] += paths


def kinds_in(course: list[Node]) -> Iterator[Did]:
    """The kinds of the events in a course."""
    for node in course:
        if isinstance(node, Event):
            yield node.did
        elif isinstance(node, Alternative):
            yield from kinds_in(node.yes)
            yield from kinds_in(node.no)
        elif isinstance(node, (Repeat, Block)):
            yield from kinds_in(node.body)


def _pruned(course: list[Node], kinds: frozenset[Did]) -> list[Node]:
    """A course with the events of some kinds alone, and the branches that matter for them."""
    found: list[Node] = []
    for node in course:
        if isinstance(node, Event):
            found += [node] if node.did in kinds else []
        elif isinstance(node, Exit):
            found.append(node)
        elif isinstance(node, Alternative):
            yes, no = _pruned(node.yes, kinds), _pruned(node.no, kinds)
            found += [Alternative(node.condition, yes, no)] if yes or no else []
        elif isinstance(node, Repeat):
            body = _pruned(node.body, kinds)
            found += (
                [Repeat(body, node.birth)] if any(not isinstance(n, Exit) for n in body) else []
            )
        else:
            body = _pruned(node.body, kinds)
            bare = len(body) == 1 and isinstance(body[0], Exit) and body[0].how == node.ends
            found += [Block(node.ends, body)] if body and not bare else []
    return found
