"""Worlds: what is assumed of conditions on one path through a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from keng.source.execution.events import Alternative, Block, Event, Node, Repeat
from keng.source.execution.values import Constant, Object, Phi, Role, Symbol, Value

Atom = tuple[object, ...]
Assumed = frozenset[tuple[Atom, bool]]


class World:
    """Answers to conditions, by their atoms."""

    def __init__(self, assumed: Assumed = frozenset()) -> None:
        self.assumed = assumed
        self._answers = dict(assumed)

    def holds(self, condition: Value | None) -> bool | None:
        """Whether a condition is true here; None where that is open."""
        if isinstance(condition, Constant):
            return bool(condition.value)
        if not isinstance(condition, Symbol):
            return None
        match condition.operator:
            case "not":
                inner = self.holds(condition.how[1])
                return None if inner is None else not inner
            case "and" | "or":
                return self._several(condition)
            case "choice":
                return self._chosen(condition)
            case "same":
                return self._same(condition)
        return self._answers.get((condition.number,))

    def _several(self, condition: Symbol) -> bool | None:
        answers = [self.holds(each) for each in condition.how[1:]]
        decisive = condition.operator == "or"
        if decisive in answers:
            return decisive
        return self._answers.get((condition.number,)) if None in answers else not decisive

    def _chosen(self, condition: Symbol) -> bool | None:
        _, test, yes, no = condition.how
        which = self.holds(test)
        if which is not None:
            return self.holds(yes if which else no)
        one, other = self.holds(yes), self.holds(no)
        return one if one is other else self._answers.get((condition.number,))

    def _same(self, condition: Symbol) -> bool | None:
        _, left, right = condition.how
        for atom, answer in self._answers.items():
            if answer and len(atom) == 3 and atom[1] == left and atom[2] != right:
                return False  # it is another constant
        return self._answers.get(("same", left, right))

    def supposing(self, condition: Value, answer: bool, remembered: set[Atom]) -> World:
        """The world in which a condition is answered; only what is asked again is remembered."""
        answers = dict(self._answers)
        left = [(condition, answer)]
        while left:
            each, truth = left.pop()
            if not isinstance(each, Symbol):
                continue
            if each.operator == "not":
                left.append((each.how[1], not truth))
                continue
            if (atom := atom_of(each)) in remembered or atom[:2] in remembered:
                answers[atom] = truth
            if each.operator == ("and" if truth else "or"):
                left += [(part, truth) for part in each.how[1:]]
        return World(frozenset(answers.items()))

    def before(self, birth: int) -> World:
        """The world without what it assumes of symbols that an iteration made."""
        kept = {(atom, answer) for atom, answer in self.assumed if _number(atom) < birth}
        return World(frozenset(kept))

    def may_be(self, value: Value | None, wanted: Value) -> bool:
        """Whether a value may be an object on this path."""
        if isinstance(value, Phi):
            which = self.holds(value.condition)
            sides = [value.yes, value.no] if which is None else [value.yes if which else value.no]
            return any(self.may_be(side, wanted) for side in sides)
        return value is wanted


def atom_of(symbol: Symbol) -> Atom:
    return symbol.how if symbol.operator == "same" else (symbol.number,)


def _number(atom: Atom) -> int:
    at = atom[1] if len(atom) == 3 else atom[0]
    return at if type(at) is int else 0


def asked_again(course: list[Node]) -> set[Atom]:
    """The atoms that a course asks more than once."""
    asked: Counter[Atom] = Counter()
    _count(course, asked)
    return {atom for atom, times in asked.items() if times > 1}


def _count(course: list[Node], asked: Counter[Atom]) -> None:
    for node in course:
        if isinstance(node, Event):
            asked.update(set(_atoms_of_event(node)))
        elif isinstance(node, Alternative):
            asked.update(set(_atoms([node.condition])))
            _count(node.yes, asked)
            _count(node.no, asked)
        elif isinstance(node, (Repeat, Block)):
            _count(node.body, asked)


def _atoms_of_event(event: Event) -> Iterator[Atom]:
    yield from _atoms([*values_of(event), event.recorded, event.flag])


def values_of(event: Event) -> list[Value]:
    """The objects of an event and the samplers of its loaders."""
    loaders = [each for each in event.objects if isinstance(each, Object)]
    samplers = [each.fields.get("sampler") for each in loaders if each.role is Role.LOADER]
    return [*event.objects, *(each for each in samplers if isinstance(each, Value))]


def conditions_of(value: Value) -> Iterator[Value]:
    """The conditions that decide what a value is."""
    if isinstance(value, Phi):
        yield value.condition
        yield from conditions_of(value.yes)
        yield from conditions_of(value.no)


def is_asked(condition: Value, remembered: set[Atom]) -> bool:
    """Whether the answer to a condition matters elsewhere."""
    return any(atom in remembered for atom in _atoms([condition]))


def _atoms(values: Iterable[object]) -> Iterator[Atom]:
    for value in values:
        if isinstance(value, Phi):
            yield from _atoms([value.condition, value.yes, value.no])
        elif isinstance(value, Symbol):
            yield (value.number,)
            if value.operator == "same":
                yield value.how[:2]
            elif value.operator in ("not", "and", "or", "choice"):
                yield from _atoms(value.how[1:])
