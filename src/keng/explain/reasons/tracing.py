"""The names of a guard with their values and what the user wrote for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from keng.explain.reasons.calls import bind, call_into, is_bound
from keng.explain.reasons.docstrings import documentation_of
from keng.explain.reasons.evaluation import Evaluator, Unknown, is_a
from keng.explain.reasons.origins import Origin, Tracer, contradicts, short
from keng.explain.reasons.showing import is_secret, may_be_shown, shown
from keng.model import Documented, Span, Traced

MOST_VALUES = 5
LONGEST_NAME = 60
QUOTED = re.compile(r"[`'\"](\w{1,60})[`'\"]")
FUNCTION_LIKE = (type(len), type(lambda: None), type)


class Traces:
    """Collects values and origins for one error. `printed` are the expressions of the message as printed."""

    def __init__(
        self, tracer: Tracer, index: int, evaluator: Evaluator, printed: Mapping[str, str]
    ) -> None:
        self._tracer = tracer
        self._index = index
        self._evaluator = evaluator
        self._printed = printed
        self._live = tracer.levels[index].live is not None
        self.documented: Documented | None = None

    def of(self, names: list[ast.expr]) -> tuple[Traced, ...]:
        """One of each name; what has neither a value nor an origin is left out."""
        found: dict[str, Traced] = {}
        dotted = [ast.unparse(node) for node in names if isinstance(node, ast.Attribute)]
        for node in names:
            text = ast.unparse(node)
            owned = isinstance(node, ast.Name) and any(n.startswith(f"{text}.") for n in dotted)
            if text in found or text in ("self", "cls") or owned or len(text) > LONGEST_NAME:
                continue
            traced = self._traced(node, text)
            if traced is not None:
                found[text] = traced
            if len(found) == MOST_VALUES:
                break
        for text in self._printed if not (found and self._live) else ():
            known = text in found or text in ("self", "cls") or len(text) > 40 or "(" in text
            if not known and len(found) < MOST_VALUES and may_be_shown(text, self._printed[text]):
                found[text] = Traced(text, self._printed[text])
        return tuple(found.values())

    def _traced(self, node: ast.expr, text: str) -> Traced | None:
        value = self._value(node, text)
        if value is None:
            return None
        origins = self._tracer.origins(self._index, node)
        origin = _best(origins)
        if origin is None and not any(o.how != "default" for o in origins):
            with suppress(Unknown):
                name = node.attr if isinstance(node, ast.Attribute) else text
                if not is_secret(name):
                    origin = _best(self._tracer.alike(name, self._evaluator(node)))
        if origin is not None and self._is_another(node, origin):
            origin = None  # the name was given another value after the call
        if origin is None:
            return Traced(text, value) if value else None
        self._look_up(origin)
        where = origin.where
        said = "" if is_secret(origin.parameter or text) else origin.text
        derived = origin.how in ("argument", "assigned") and not origin.direct
        how = "derived" if derived else origin.how
        return Traced(text, value, said, where, how, origin.parameter)

    def _is_another(self, node: ast.expr, origin: Origin) -> bool:
        """Whether what the user wrote cannot be the value that is there."""
        try:
            value = self._evaluator(node)
        except Unknown:
            return False
        return origin.direct and contradicts(origin.node, value)

    def _value(self, node: ast.expr, text: str) -> str | None:
        """In words; "" if it is unknown, None if it is a function, a class or a module of the library."""
        try:
            value: Any = self._evaluator(node)
        except Unknown:
            printed = self._printed.get(text, "")
            return printed if may_be_shown(text, printed) else ""
        if is_a(value, FUNCTION_LIKE) or is_a(value, type(re)):
            return None
        return shown(value, text)

    def _look_up(self, origin: Origin) -> None:
        """The documentation of the parameter, once, of a function that is not the user's."""
        if self.documented is not None or origin.entered is None or not origin.parameter:
            return
        level = self._tracer.levels[origin.entered]
        if level.user:
            return
        text = documentation_of(level, origin.parameter, origin.called)
        if text:
            self.documented = Documented(origin.parameter, origin.called or level.name, text)

    def named_by(self, message: str, values: tuple[Traced, ...]) -> tuple[Traced, ...]:
        """An argument of the user's own call that the message names in quotes, as well."""
        levels = self._tracer.levels
        index = next(
            (n for n in range(len(levels) - 1, 0, -1) if levels[n - 1].user and not levels[n].user),
            0,
        )
        call = call_into(levels, index) if index else None
        if call is None:
            return values
        function = levels[index].function
        given: dict[str, Any] = {k.arg: k.value for k in call.keywords if k.arg}
        if function is not None:
            given = {
                **bind(call, function, is_bound(levels, index, call)),
                **given,
            }
        for word in dict.fromkeys(QUOTED.findall(message)):
            node = given.get(word)
            if isinstance(node, ast.expr):
                above = levels[index - 1]
                line = node.lineno if above.source is not None else above.line
                text = short(node) if is_secret(word) is False else ""
                keyword = any(k.value is node for k in call.keywords)
                said = f"{word}={text}" if keyword else text
                found = Traced(word, "", said, Span(above.path, line), "argument", word)
                return (*(v for v in values if v.name != word), found)
        return values


def _best(origins: list[Origin]) -> Origin | None:
    """The first that was passed on unchanged; of several computed from, the first that was given."""
    direct = [o for o in origins if o.direct]
    if direct:
        return direct[0]
    given = [o for o in origins if o.how != "default"]
    return given[0] if given else None
