"""From the levels of a traceback to the reason: site, guards, values, origins, what is accepted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from keng.explain.reasons.accepted import accepted
from keng.explain.reasons.calls import bind, call_into, default_of, is_bound, last_name, parameters
from keng.explain.reasons.evaluation import Evaluator, Unknown
from keng.explain.reasons.guards import Atom, Guard, atoms, guards_of
from keng.explain.reasons.levels import Level
from keng.explain.reasons.operations import operation_of
from keng.explain.reasons.origins import Origin, Tracer, data_names, short
from keng.explain.reasons.sites import site_of, without_checks
from keng.explain.reasons.source import Sources
from keng.explain.reasons.template import template_of, unify
from keng.explain.reasons.tracing import Traces
from keng.model import Condition, Reason, Span

LONGEST_CONDITION = 110
MOST_CONDITIONS = 3
SIZE = re.compile(r"torch\.Size\((\[[\d, ]*\])\)")
WORD = re.compile(r"[\w.:-]{1,60}")
QUOTED = re.compile(r"[`'\"](\w{1,60})[`'\"]")
DECIDED = ("if", "else", "early exit", "assert", "check")


class Handled(NamedTuple):
    """What a handler raised in place of another error, whose reason is the one to look for."""


HANDLED = Handled()


class Error(NamedTuple):
    """What was raised: its class without the module, and its message."""

    kind: str
    message: str


def reason_of(levels: list[Level], error: Error, sources: Sources) -> Reason | Handled | None:
    """The reason for an exception that came up through these levels, outermost first; HANDLED if it was
    raised while another one was handled; None if nothing can be told."""
    checked = len(without_checks(levels)) < len(levels)
    levels = without_checks(levels)
    while len(levels) > 1 and levels[-1].source is None and levels[-1].live is not None:
        levels = levels[:-1]  # C, Cython, generated code
    if not levels:
        return None
    tracer = Tracer(levels, sources)
    site = site_of(levels[-1], error.message, checked)
    if site is None and levels[-1].source is None and not levels[-1].user:
        return Reason("absent", levels[-1].name, levels[-1].place)
    if site is None:
        return operation_of(tracer, error.kind, error.message)
    if levels[-1].name in ("__getattr__", "__getattribute__") and len(levels) > 1:
        return operation_of(Tracer(levels[:-1], sources), error.kind, error.message)
    return _Raised(tracer, site, error).reason()


class _Raised:
    """One raise statement."""

    def __init__(self, tracer: Tracer, site: ast.AST, error: Error) -> None:
        self._tracer = tracer
        self._error = error
        self._index = len(tracer.levels) - 1
        self._level = level = tracer.levels[-1]
        self._site = site
        tree = level.tree
        assert tree is not None
        self._printed = unify(template_of(site, tree), error.message) or {}
        self._guards = guards_of(site, tree)
        known = _literals(self._printed)
        if level.live is None:
            known |= self._written(known)
        self._evaluator = Evaluator(level.live, known)

    def reason(self) -> Reason | Handled | None:
        guard = self._deciding()
        if guard is None:
            return self._reason("always", [], None)
        if guard.kind == "except":
            return HANDLED
        if guard.kind == "match" or guard.kind == "search":
            return self._other(guard)
        ladder = [g for g in self._guards if g.kind == "else"] if guard.kind == "else" else []
        if len(ladder) > 1:
            return self._of_ladder(ladder)
        raised = self._of_helper(guard)
        return raised if raised is not None else self._of_guard(guard)

    def _deciding(self) -> Guard | None:
        """The innermost guard; not a switch, `if raises:`, whose default is to raise."""
        guards = [g for g in self._guards if g.kind != "loop"]
        if not guards:
            return None
        first = guards[0]
        handler = next((g for g in guards if g.kind == "except"), None)
        if first.kind == "early exit" and handler is not None and handler.line < first.line:
            return handler
        outer = [g for g in guards[1:] if g.kind in ("if", "else", "early exit")]
        function = self._level.function
        if (
            first.kind == "if"
            and isinstance(first.test, ast.Name)
            and outer
            and function is not None
        ):
            default = default_of(function, first.test.id)
            if isinstance(default, ast.Constant) and default.value is True:
                return outer[0]
        if first.kind == "search" and outer and outer[0].kind == "if":
            return outer[0] if any(g.kind == "if" for g in guards[:1]) else first
        return first

    def _of_guard(self, guard: Guard) -> Reason:
        assert guard.test is not None
        parts = atoms(guard.test, guard.holds, self._evaluator.truth)
        outer = self._outer(guard)
        names = [n for part in parts for n in data_names(part.test, self._level.function)]
        names += data_names(outer.test, self._level.function) if outer is not None else []
        said = None
        if outer is not None and outer.test is not None:
            said = Condition(short(outer.test, LONGEST_CONDITION), outer.holds)
        return self._reason("guard", parts, said, names)

    def _outer(self, guard: Guard) -> Guard | None:
        """The condition under which the check is made at all."""
        rest = self._guards[self._guards.index(guard) + 1 :]
        found = next((g for g in rest if g.kind in ("if", "else") and g.test is not None), None)
        return found if found is not None and found.kind == "if" else None

    def _of_ladder(self, ladder: list[Guard]) -> Reason:
        """`if a: ... elif b: ... else: raise`: none of the tests was true."""
        parts = [Atom(g.test, False) for g in reversed(ladder) if g.test is not None]
        names = [n for part in parts for n in data_names(part.test, self._level.function)]
        return self._reason("ladder", parts, None, names)

    def _other(self, guard: Guard) -> Reason:
        """No case of a `match` applied, or a search found nothing."""
        function = self._level.function
        node = guard.node
        if isinstance(node, ast.For):
            text = f"for {short(node.target)} in {short(node.iter)}"
            return self._reason("search", [], None, data_names(node.iter, function), text)
        tree = self._level.tree
        subject = tree.parents[node].subject if tree is not None else None  # type: ignore[attr-defined]
        names = data_names(subject, function) if subject is not None else []
        return self._reason("match", [], None, names, short(subject) if subject is not None else "")

    def _of_helper(self, guard: Guard) -> Reason | None:
        """A helper that is given a condition and raises if it is false: its call is the check."""
        function, test = self._level.function, guard.test
        inner = test.operand if isinstance(test, ast.UnaryOp) else test
        if function is None or not isinstance(inner, ast.Name) or self._index == 0:
            return None
        call = call_into(self._tracer.levels, self._index)
        above = self._tracer.levels[self._index - 1]
        if inner.id not in parameters(function) or call is None or above.tree is None or above.user:
            return None
        given = bind(call, function, is_bound(call, function, above.function)).get(inner.id)
        if not isinstance(given, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call):
            return None
        holds = guard.holds != isinstance(test, ast.UnaryOp)
        outer = Tracer(self._tracer.levels[:-1], self._tracer.sources)
        return _Asserted(outer, given, holds, self._error).reason()

    def _reason(
        self,
        kind: str,
        parts: list[Atom],
        outer: Condition | None,
        names: Iterable[ast.expr] = (),
        about: str = "",
    ) -> Reason:
        traces = Traces(self._tracer, self._index, self._evaluator, self._printed)
        names = list(names) or self._holes()
        values = traces.of(names)
        if not any(each.how not in ("", "default") for each in values):
            values = traces.named_by(self._error.message, values)
        level = self._level
        return Reason(
            kind,
            level.qualified if level.function is not None else "",
            Span(level.path, getattr(self._site, "lineno", level.line)),
            _conditions(parts),
            outer,
            about,
            values,
            _accepted(parts, kind, self._evaluator),
            traces.documented,
            self._is_sure(kind, parts),
        )

    def _is_sure(self, kind: str, parts: list[Atom]) -> bool:
        """Whether the values found agree with the guard."""
        if kind not in ("guard", "ladder") or not parts:
            return False
        return all(self._evaluator.truth(part.test) == part.holds for part in parts)

    def _holes(self) -> list[ast.expr]:
        """The expressions of the message, where no guard names any."""
        found: list[ast.expr] = []
        for text in self._printed:
            node = _parsed(text)
            found += data_names(node, self._level.function) if node is not None else []
        return found

    def _written(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Literals that the user passed unchanged for names of the guards: values that a text has."""
        found: dict[str, Any] = {}
        tests = [g.test for g in self._guards if g.test is not None]
        names = [n for test in tests for n in data_names(test, self._level.function)]
        for node in names[:6]:
            text = ast.unparse(node)
            origins = self._tracer.origins(self._index, node) if text not in known else []
            if len(origins) == 1 and origins[0].direct and origins[0].node is not None:
                literal = _literal(origins[0].node)
                if literal is not Unknown:
                    found[text] = literal
        return found


class _Asserted(_Raised):
    """The call of a helper that raises if a condition is false."""

    def __init__(self, tracer: Tracer, test: ast.expr, holds: bool, error: Error) -> None:
        self._tracer = tracer
        self._error = error
        self._index = len(tracer.levels) - 1
        self._level = tracer.levels[-1]
        self._site = test
        self._printed = {}
        self._guards = [Guard("check", test, test, holds, test.lineno)]
        self._evaluator = Evaluator(self._level.live)


def _conditions(parts: list[Atom]) -> tuple[Condition, ...]:
    said = (Condition(short(part.test, LONGEST_CONDITION), part.holds) for part in parts)
    return tuple(dict.fromkeys(said))[:MOST_CONDITIONS]


def _accepted(parts: list[Atom], kind: str, evaluator: Evaluator) -> tuple[Any, ...]:
    """One of several is enough; a type that was merely asked for first is no advice."""
    if kind == "ladder":
        return _of_ladder(parts)
    if kind != "guard":
        return ()
    found = [each for part in parts if (each := accepted(part, evaluator)) is not None]
    telling = [each for each in found if each.bound not in ("not_a", "without")]
    if len(found) < len(parts) and not telling:
        return ()
    return tuple(dict.fromkeys(telling or found))[:2]


def _of_ladder(parts: list[Atom]) -> tuple[Any, ...]:
    """The members, where every step of a ladder compares the same name with constants."""
    from keng.model import Accepted

    members: list[str] = []
    subjects: set[str] = set()
    for part in parts:
        match part.test:
            case ast.Compare(
                left=left, ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant() as one]
            ):
                subjects.add(ast.unparse(left))
                members.append(ast.unparse(one))
            case ast.Compare(
                left=left,
                ops=[ast.In()],
                comparators=[ast.Tuple() | ast.List() | ast.Set() as many],
            ):
                subjects.add(ast.unparse(left))
                members += map(ast.unparse, many.elts)
            case ast.Call(func=ast.Name(id="isinstance"), args=[left, kinds]):
                subjects.add(f"type of {ast.unparse(left)}")
                several = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
                members += [last_name(each) or short(each) for each in several]
            case _:
                return ()
    if len(subjects) != 1 or sum(map(len, members)) > 160:
        return ()
    subject = subjects.pop()
    if subject.startswith("type of "):
        return (Accepted("a", subject.removeprefix("type of "), ", ".join(members)),)
    return (Accepted("one_of", subject, ", ".join(members)),)


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
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _literal(node: ast.AST) -> Any:
    try:
        return ast.literal_eval(node)  # type: ignore[arg-type]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return Unknown
