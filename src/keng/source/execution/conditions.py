"""Conditions as symbols: the same test asked twice is one symbol, so that its answers agree."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from keng.source.execution.values import (
    FALSE,
    TRUE,
    Bound,
    Class,
    Constant,
    External,
    Function,
    Object,
    Phi,
    Role,
    Symbol,
    Tensor,
    Value,
    fresh,
    joined,
    leaves,
)

WIDEST = 5
"""Values that a `Phi` may choose from; what has more becomes unknown."""
MERGED = frozenset({Role.SCHEDULER, Role.LOADER, Role.SAMPLER, Role.LOSS, Role.OPTIMIZER})
FORMULAS = frozenset({"not", "and", "or", "same", "choice", "truth"})
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "Lt": operator.lt,
    "Gt": operator.gt,
    "LtE": operator.le,
    "GtE": operator.ge,
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}
OPPOSITE = {"Lt": "GtE", "Gt": "LtE", "NotIn": "In"}


def key(value: Value) -> object:
    """What identifies a value in a symbol."""
    if isinstance(value, (Object, Symbol, Tensor)):
        return value.number
    if isinstance(value, Constant) and isinstance(value.value, (str, int, float, type(None))):
        return type(value.value), value.value
    return id(value)


class Conditions:
    """Makes symbols, each once for what it was made from."""

    def __init__(self) -> None:
        self._symbols: dict[tuple[object, ...], Symbol] = {}
        self.by_number: dict[int, Symbol] = {}

    def unknown(self, name: str = "", plain: bool = False) -> Symbol:
        """A value of which nothing else is known."""
        made = Symbol(name, plain=plain)
        self.by_number[made.number] = made
        return made

    def symbol(self, *how: Any, name: str = "", plain: bool = True) -> Symbol:
        known = self._symbols.get((how, name))
        if known is None:
            known = self._symbols[how, name] = Symbol(name, how, plain)
            self.by_number[known.number] = known
        return known

    def test(self) -> Symbol:
        """A condition that no other test answers."""
        return self.symbol("truth", fresh())

    def truth(self, value: Value) -> Value:
        """The value as a condition: a constant, or a symbol that `worlds.holds` understands."""
        if isinstance(value, Constant):
            return TRUE if value.value else FALSE
        if isinstance(value, Phi):
            return self._choice(value.condition, self.truth(value.yes), self.truth(value.no))
        if isinstance(value, Symbol) and value.operator in FORMULAS:
            return value
        if isinstance(value, Object) and value.role in (Role.SEQUENCE, Role.DICT):
            known = value.items is not None and value.role is Role.SEQUENCE
            return Constant(bool(value.items)) if known else self.symbol("truth", value.number)
        if isinstance(value, (Symbol, Tensor)):
            return self.symbol("truth", value.number)
        return TRUE

    def _choice(self, condition: Value, yes: Value, no: Value) -> Value:
        if isinstance(yes, Constant) and isinstance(no, Constant):
            if yes.value == no.value:
                return yes
            return condition if yes.value else self.negation(condition)
        return self.symbol("choice", condition, yes, no)

    def negation(self, condition: Value) -> Value:
        if isinstance(condition, Constant):
            return FALSE if condition.value else TRUE
        assert isinstance(condition, Symbol), "a condition is a constant or a symbol"
        if condition.operator == "not":
            inner: Value = condition.how[1]
            return inner
        return self.symbol("not", condition)

    def combine(self, word: str, conditions: Sequence[Value]) -> Value:
        """The conjunction ("and") or disjunction ("or") of conditions."""
        left: list[Value] = []
        for each in conditions:
            if not isinstance(each, Constant):
                left.append(each)
            elif bool(each.value) != (word == "and"):
                return each
        if not left:
            return TRUE if word == "and" else FALSE
        return left[0] if len(left) == 1 else self.symbol(word, *left)

    def compare(self, word: str, left: Value, right: Value) -> Value:
        """A comparison by the name of its node (`Eq`, `IsNot`)."""
        if isinstance(left, Phi):
            yes, no = (self.compare(word, side, right) for side in (left.yes, left.no))
            return self._choice(left.condition, self.truth(yes), self.truth(no))
        if isinstance(left, Constant) and isinstance(right, Constant):
            return self._computed(word, left, right)
        if word in ("Is", "IsNot", "Eq", "NotEq"):
            if _is_something(left) and isinstance(right, Constant):
                return Constant(word in ("IsNot", "NotEq"))
            if key(left) == key(right):
                return Constant(word in ("Is", "Eq"))
            same = self.symbol("same", key(left), key(right))
            return self.negation(same) if word in ("IsNot", "NotEq") else same
        if word == "In" and isinstance(right, Object) and right.items and len(right.items) < 6:
            return self.combine("or", [self.compare("Eq", left, each) for each in right.items])
        if word in OPPOSITE:
            return self.negation(self.compare(OPPOSITE[word], left, right))
        return self.symbol("truth", (word, key(left), key(right)))

    def _computed(self, word: str, left: Constant, right: Constant) -> Value:
        try:
            return TRUE if COMPARED[word](left.value, right.value) else FALSE
        except TypeError:
            return self.symbol("truth", (word, key(left), key(right)))

    def join(self, condition: Value, yes: Value | None, no: Value | None) -> Value:
        """What a name is after an `if` that gave it `yes` in one branch and `no` in the other."""
        if yes is None or no is None or yes is no:
            known = yes if yes is not None else no
            assert known is not None, "one of the branches has a value"
            return known
        if _are_equal(yes, no) or _are_interchangeable(yes, no):
            return yes
        if isinstance(yes, Tensor) and isinstance(no, Tensor):
            return Tensor(joined([yes.gradient, no.gradient]), (yes, no))
        if len(leaves(yes)) + len(leaves(no)) > WIDEST:
            return self.unknown("one of many")
        return Phi(condition, yes, no)

    def counts(self, condition: Value, depth: int = 6) -> bool:
        """Whether a condition asks for a counter: something modulo something."""
        if not isinstance(condition, Symbol) or not depth:
            return False
        return condition.operator == "Mod" or any(
            self.counts(inner, depth - 1) for inner in self._behind(condition.how[1:])
        )

    def _behind(self, how: tuple[Any, ...]) -> list[Symbol]:
        flat = [x for part in how for x in (part if isinstance(part, tuple) else (part,))]
        symbols = [self.by_number.get(x) if type(x) is int else x for x in flat]
        return [each for each in symbols if isinstance(each, Symbol)]


def _is_something(value: Value) -> bool:
    """Whether a value is certainly neither None, a number nor a text."""
    return isinstance(value, (Object, Tensor, Function, Bound, Class, External))


def _are_equal(one: Value, other: Value) -> bool:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return type(one.value) is type(other.value) and one.value == other.value
    return isinstance(one, External) and isinstance(other, External) and one.dotted == other.dotted


def _are_interchangeable(one: Value, other: Value) -> bool:
    """Whether two objects play one part: Adam or SGD over the same parameters."""
    if not isinstance(one, Object) or not isinstance(other, Object) or one.role is not other.role:
        return False
    if one.role is Role.LOADER:
        return one.fields.get("sampler") is other.fields.get("sampler")
    return one.role in MERGED and one.of == other.of
