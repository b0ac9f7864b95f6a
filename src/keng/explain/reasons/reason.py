"""From the levels of a traceback to the reason: site, guards, values, origins, what is accepted."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from keng.explain.ownership.paths import is_standard
from keng.explain.reasons.accepted import accepted_by
from keng.explain.reasons.calls import bind, call_into, default_of, is_bound, parameters
from keng.explain.reasons.evaluation import Evaluator, Unknown
from keng.explain.reasons.guards import Atom, Guard, atoms, guards_of
from keng.explain.reasons.levels import Level
from keng.explain.reasons.operations import operation_of
from keng.explain.reasons.origins import Tracer, bound_names, data_names, short
from keng.explain.reasons.sites import site_of, without_checks
from keng.explain.reasons.source import UNPARSED, Sources
from keng.explain.reasons.template import template_of, unify
from keng.explain.reasons.tracing import Traces
from keng.model import Accepted, Condition, Reason, Span, Traced

LONGEST_CONDITION = 110
MOST_CONDITIONS = 3
MOST_STEPS = 8
"""Of a ladder of `elif`."""
MOST_WRITTEN = 6
SIZE = re.compile(r"torch\.Size\((\[[\d, ]*\])\)")
WORD = re.compile(r"[\w.:-]{1,60}")


class Handled(NamedTuple):
    """A handler raised it in place of another error: the reason is that error's."""


class Error(NamedTuple):
    """What was raised: its class without the module, and its message."""

    kind: str
    message: str


def reason_of(levels: list[Level], error: Error, sources: Sources) -> Reason | Handled | None:
    """The reason for an exception that came up through these levels, outermost first; Handled if it was
    raised while another one was handled; None if nothing can be determined."""
    levels = [level for level in levels if not _is_generated(level)]
    checked = len(without_checks(levels)) < len(levels)
    levels = without_checks(levels)
    while len(levels) > 1 and levels[-1].source is None and levels[-1].live is not None:
        levels = levels[:-1]  # C and Cython
    if not levels:
        return None
    last = levels[-1]
    of_object = last.name in ("__getattr__", "__getattribute__") and (last.owner or not last.source)
    if of_object and len(levels) > 1:
        return operation_of(Tracer(levels[:-1], sources), error.kind, error.message)
    site = site_of(last, error.message, checked)
    if site is None and last.source is None and not (last.user or last.text):
        return Reason("absent", last.name, last.place)
    tracer = Tracer(levels, sources)
    if site is None:
        found = operation_of(tracer, error.kind, error.message)
        missing = last.source is None and not last.user
        return found or (Reason("absent", last.name, last.place) if missing else None)
    return _raised(tracer, site, error).reason()


def _is_generated(level: Level) -> bool:
    """Code that no file has: the constructor of a dataclass, what fx and decorators write."""
    return level.live is not None and level.path.startswith("<") and level.source is None


def _raised(tracer: Tracer, site: ast.AST, error: Error) -> _Raised:
    tree = tracer.levels[-1].tree
    assert tree is not None
    printed = unify(template_of(site, tree), error.message) or {}
    return _Raised(tracer, site, guards_of(site, tree), printed, error)


class _Raised:
    """One raise statement, its guards, and the expressions of its message as printed."""

    def __init__(
        self,
        tracer: Tracer,
        site: ast.AST,
        guards: list[Guard],
        printed: Mapping[str, str],
        error: Error,
    ) -> None:
        self._tracer = tracer
        self._site = site
        self._guards = guards
        self._printed = printed
        self._error = error
        self._index = len(tracer.levels) - 1
        self._level = tracer.levels[-1]
        self._function = self._level.function
        known = _literals(printed)
        if self._level.live is None:
            known |= self._written(known)
        self._own = bound_names(self._function)
        self._evaluator = Evaluator(self._level.live, known, self._own)

    def reason(self) -> Reason | Handled | None:
        guard = self._deciding()
        if guard is None:
            own = self._level.user or self._level.is_excerpt or is_standard(self._level.path)
            return None if own or not self._does_nothing_else() else self._reason("always")
        if guard.kind == "except":
            return Handled()
        if guard.kind in ("match", "search"):
            return self._of_block(guard)
        ladder = [g for g in self._guards if g.kind == "else"] if guard.kind == "else" else []
        if len(ladder) > 1:
            return self._of_ladder(ladder)
        return self._of_helper(guard) or self._of_guard(guard)

    def _does_nothing_else(self) -> bool:
        """Whether the function consists of the raise."""
        if not isinstance(self._function, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        body = [s for s in self._function.body if not _is_text(s)]
        return bool(body) and self._site in ast.walk(body[0])

    def _deciding(self) -> Guard | None:
        """The innermost guard, or the one around a switch."""
        guards = [guard for guard in self._guards if guard.kind != "loop"]
        if not guards:
            return None
        first = guards[0]
        handler = next((guard for guard in guards if guard.kind == "except"), None)
        if first.kind == "early exit" and handler is not None and handler.line < first.line:
            return handler
        outer = [guard for guard in guards[1:] if guard.kind in ("if", "else", "early exit")]
        return outer[0] if outer and self._is_switch(first) else first

    def _is_switch(self, guard: Guard) -> bool:
        """`if raises:`, of a parameter whose default is to raise."""
        if guard.kind != "if" or not isinstance(guard.test, ast.Name) or self._function is None:
            return False
        default = default_of(self._function, guard.test.id)
        return isinstance(default, ast.Constant) and default.value is True

    def _of_guard(self, guard: Guard) -> Reason:
        parts = self._atoms(guard)
        outer = self._outer(guard)
        if guard.kind != "else" or outer is None:
            return self._reason("guard", parts, outer)
        both = self._reason("guard", [*self._atoms(outer), *parts])
        return both._replace(accepted=())  # what the other branch is for is not known

    def _atoms(self, guard: Guard) -> list[Atom]:
        if guard.test is None:
            return []
        return atoms(guard.test, guard.holds, self._evaluator.truth)

    def _outer(self, guard: Guard) -> Guard | None:
        """The condition under which the check is made at all."""
        rest = self._guards[self._guards.index(guard) + 1 :]
        found = next((g for g in rest if g.kind in ("if", "else") and g.test is not None), None)
        return found if found is not None and found.kind == "if" else None

    def _of_ladder(self, ladder: list[Guard]) -> Reason:
        """`if a: ... elif b: ... else: raise`: none of the tests was true."""
        parts = [Atom(g.test, False) for g in reversed(ladder) if g.test is not None]
        return self._reason("ladder", parts)

    def _of_block(self, guard: Guard) -> Reason:
        """No case of a `match` applied, or a search found nothing."""
        if isinstance(guard.node, ast.For):
            loop = guard.node
            text = f"for {short(loop.target)} in {short(loop.iter)}"
            return self._reason("search", names=data_names(loop.iter, self._function), about=text)
        tree = self._level.tree
        whole = tree.parents.get(guard.node) if tree is not None else None
        if not isinstance(whole, ast.Match):
            return self._reason("always")
        names = data_names(whole.subject, self._function)
        return self._reason("match", names=names, about=short(whole.subject))

    def _of_helper(self, guard: Guard) -> Reason | Handled | None:
        """A helper that is given a condition and raises if it is false: its call is the check."""
        test, holds = guard.test, guard.holds
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, not holds
        given = self._given_to_helper(test.id) if isinstance(test, ast.Name) else None
        if given is None:
            return None
        above = Tracer(self._tracer.levels[:-1], self._tracer.sources)
        asserted = Guard("check", given, given, holds, given.lineno)
        return _Raised(above, given, [asserted], {}, self._error).reason()

    def _given_to_helper(self, name: str) -> ast.expr | None:
        """The condition that a library passed for a parameter of a helper."""
        levels, function = self._tracer.levels, self._function
        if function is None or self._index == 0 or name not in parameters(function):
            return None
        call, above = call_into(levels, self._index), levels[self._index - 1]
        if call is None or above.tree is None or above.user:
            return None
        given = bind(call, function, is_bound(levels, self._index, call)).get(name)
        is_condition = isinstance(given, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call)
        return given if is_condition and isinstance(given, ast.expr) else None

    def _reason(
        self,
        kind: str,
        parts: list[Atom] | None = None,
        outer: Guard | None = None,
        names: list[ast.expr] | None = None,
        about: str = "",
    ) -> Reason:
        parts, level = parts or [], self._level
        trusted = self._trusted(parts)
        evaluator = self._evaluator if trusted else Evaluator(None, own=self._own)
        traces = Traces(self._tracer, self._index, evaluator, self._printed if trusted else {})
        values = traces.of(names or self._names(parts, outer) or self._holes())
        if not trusted:
            values = tuple(each for each in values if each.how != "default")
        if not any(each.how not in ("", "default") for each in values):
            values = traces.named_by(self._error.message, values)
        said = _condition(outer.test, outer.holds) if outer is not None and outer.test else None
        return Reason(
            kind,
            level.qualified if self._function is not None else "",
            Span(level.path, getattr(self._site, "lineno", level.line)),
            _conditions(parts, kind),
            said,
            about,
            values,
            _to_pass(accepted_by(parts, kind, evaluator, self._function), values),
            traces.documented,
            bool(parts) and all(evaluator.truth(each.test) == each.holds for each in parts),
            level.live is not None,
            level.is_excerpt,
        )

    def _trusted(self, parts: list[Atom]) -> bool:
        """Whether the values known agree with the guard; in a text they may be another call's."""
        wrong = any(self._evaluator.truth(each.test) == (not each.holds) for each in parts)
        return not wrong or self._level.live is not None

    def _names(self, parts: list[Atom], outer: Guard | None) -> list[ast.expr]:
        tests = [each.test for each in parts]
        tests += [outer.test] if outer is not None and outer.test is not None else []
        return [name for test in tests for name in data_names(test, self._function)]

    def _holes(self) -> list[ast.expr]:
        """The expressions of the message, where no guard names any."""
        nodes = [node for text in self._printed if (node := _parsed(text)) is not None]
        return [name for node in nodes for name in data_names(node, self._function)]

    def _written(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Literals that the user passed unchanged for names of the guards: the values that a text has."""
        tests = [guard.test for guard in self._guards if guard.test is not None]
        names = [name for test in tests for name in data_names(test, self._function)]
        found: dict[str, Any] = {}
        for node in names[:MOST_WRITTEN]:
            text = ast.unparse(node)
            origins = self._tracer.origins(self._index, node) if text not in known else []
            if len(origins) == 1 and origins[0].direct and origins[0].node is not None:
                literal = _literal(origins[0].node)
                if literal is not Unknown:
                    found[text] = literal
        return found


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _to_pass(limits: tuple[Accepted, ...], values: tuple[Traced, ...]) -> tuple[Accepted, ...]:
    """A parameter that has its default and must not is one to pass."""
    left_out = {each.name for each in values if each.how == "default"}
    return tuple(
        Accepted("given", each.what) if each.bound == "other" and each.what in left_out else each
        for each in limits
    )


def _condition(test: ast.expr, holds: bool) -> Condition:
    return Condition(short(test, LONGEST_CONDITION), holds)


def _conditions(parts: list[Atom], kind: str) -> tuple[Condition, ...]:
    said = (_condition(each.test, each.holds) for each in parts)
    return tuple(dict.fromkeys(said))[: MOST_STEPS if kind == "ladder" else MOST_CONDITIONS]


def _literals(printed: Mapping[str, str]) -> dict[str, Any]:
    """The values of the expressions in a message, where their text is a literal, a shape or a word."""
    found: dict[str, Any] = {}
    for expression, text in printed.items():
        node = _parsed(text) if len(text) < 500 else None
        literal = _literal(node) if node is not None else Unknown
        if literal is not Unknown:
            found[expression] = literal
        elif shape := SIZE.fullmatch(text):
            found[expression] = tuple(ast.literal_eval(shape[1]))
        elif WORD.fullmatch(text):
            found[expression] = text
    return found


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except UNPARSED:
        return None


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (*UNPARSED, TypeError):
        return Unknown
