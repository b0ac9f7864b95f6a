"""Exceptions that Python raises itself: which operand made it fail."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from keng.explain.reasons.calls import last_name
from keng.explain.reasons.evaluation import Evaluator, Unknown, class_of, is_a, length
from keng.explain.reasons.origins import Tracer, bound_names, data_names, short
from keng.explain.reasons.showing import may_be_shown, names_of
from keng.explain.reasons.source import UNPARSED
from keng.explain.reasons.tracing import Traces
from keng.model import Condition, Reason, Traced

NONE = "'NoneType' object"
NO_ATTRIBUTE = re.compile(r"'(?P<kind>[\w.]+)' object has no attribute '(?P<name>\w+)'")
UNPACK = re.compile(
    r"(?:not enough|too many) values to unpack \(expected (?:at least )?(?P<wanted>\d+)"
)
MISSING = re.compile(r"(?P<called>[\w.<>]+)\(\) missing \d+ required [\w -]+: (?P<names>.+)$")
KEYWORD = re.compile(r"(?P<called>[\w.<>]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'")
SURPLUS = re.compile(
    r"(?P<called>[\w.<>]+)\(\) takes (?:from \d+ to )?\d+ positional arguments? "
    r"but (?P<given>\d+) (?:was|were) given"
)


def operation_of(tracer: Tracer, kind: str, message: str) -> Reason | None:
    """The operand that made an expression of Python's fail; None where that is not clear."""
    if not tracer.levels or (tracer.levels[-1].source is None and not tracer.levels[-1].text):
        return None
    operation = _Operation(tracer, message)
    asked: dict[str, Callable[[], Reason | None]] = {
        "ZeroDivisionError": operation.division,
        "KeyError": operation.key,
        "IndexError": operation.index,
        "AttributeError": operation.attribute,
        "TypeError": operation.of_type,
        "ValueError": operation.unpacking,
    }
    answer = asked.get(kind)
    return answer() if answer is not None else None


class _Operation:
    """The last level of a traceback, whose line failed without a `raise`."""

    def __init__(self, tracer: Tracer, message: str) -> None:
        self._tracer = tracer
        self._message = message
        self._index = len(tracer.levels) - 1
        self._level = tracer.levels[-1]
        self._evaluator = Evaluator(self._level.live, own=bound_names(self._level.function))

    def division(self) -> Reason | None:
        node = self._one(ast.BinOp, ast.AugAssign, accepts=_divides)
        if isinstance(node, ast.BinOp | ast.AugAssign):
            divisor = node.right if isinstance(node, ast.BinOp) else node.value
            names = data_names(divisor, self._level.function)
            return self._reason("division", divisor, names, known="0")
        return None

    def key(self) -> Reason | None:
        node = self._one(ast.Subscript)
        if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
            return None
        owner = self._value(node.value)
        names = [
            *data_names(node.value, self._level.function),
            *data_names(node.slice, self._level.function),
        ]
        plain = is_a(owner, dict) and type(owner).__iter__ is dict.__iter__
        keys = names_of(owner) if plain else []
        more = ", ..." if plain and len(keys) < dict.__len__(owner) else ""
        limit = f"{', '.join(keys)}{more}" if keys else ""
        return self._reason("key", node.value, names[:3], said=self._key(node), limit=limit)

    def _key(self, node: ast.Subscript) -> str:
        """The key that the message has; of one that is data, the expression in its place."""
        text = self._message.split("\n", 1)[0].strip()
        try:
            plain = type(ast.literal_eval(text)) in (str, int, bool, tuple)
        except (*UNPARSED, TypeError):
            plain = False
        return text if plain and may_be_shown("", text) else f"`{short(node.slice)}`"

    def index(self) -> Reason | None:
        node = self._one(ast.Subscript)
        if not isinstance(node, ast.Subscript) or self._level.live is None:
            return None
        try:
            there, asked = length(self._value(node.value)), self._value(node.slice)
        except Unknown:
            return None
        if type(asked) is not int:
            return None
        names = data_names(node.slice, self._level.function)
        names += [node.value] if isinstance(node.value, ast.Name) else []
        return self._reason("index", node.value, names, said=str(asked), limit=str(there))

    def attribute(self) -> Reason | None:
        found = NO_ATTRIBUTE.search(self._message)
        if found is None:
            return None
        node = self._one(ast.Attribute, accepts=lambda each: last_name(each) == found["name"])
        if not isinstance(node, ast.Attribute):
            return None
        return self._of_kind(node.value, found["kind"], found["name"])

    def of_type(self) -> Reason | None:
        if NONE not in self._message:
            return self._called()
        kinds: dict[str, tuple[type[ast.AST], ...]] = {
            "not subscriptable": (ast.Subscript,),
            "not callable": (ast.Call,),
            "not iterable": (ast.For, ast.comprehension, ast.Call, ast.Assign, ast.Starred),
        }
        wanted = next((k for said, k in kinds.items() if said in self._message), ())
        node = self._one(*wanted) if wanted else None
        operand = _operand(node)
        return self._of_kind(operand, "NoneType", "") if operand is not None else None

    def _of_kind(self, owner: ast.expr, kind: str, name: str) -> Reason | None:
        """The object that lacks an attribute, or is None, and what it was made by."""
        value = self._value(owner)
        if value is not Unknown and type(value).__name__ != kind.rpartition(".")[2]:
            return None
        names = data_names(owner, self._level.function) or [owner]
        if kind == "NoneType":
            if isinstance(owner, ast.Call):
                said = Traced(short(owner), "None")
                return self._made("none", short(owner), (said,))
            return self._reason("none", owner, names, known="None")
        return self._reason("attribute", owner, names, said=name, limit=kind)

    def unpacking(self) -> Reason | None:
        found = UNPACK.search(self._message)
        targets = [n for n in self._level.nodes() if isinstance(n, ast.Assign | ast.For)]
        if found is None or len(targets) != 1:
            return None
        value = targets[0].value if isinstance(targets[0], ast.Assign) else None
        if value is None:
            return None
        if class_of(self._value(value)) in ("Tensor", "ndarray"):
            return None  # its shape tells more than its length
        try:
            there = length(self._value(value))
        except Unknown:
            return None
        names = data_names(value, self._level.function)
        return self._reason("unpack", value, names, said=found["wanted"], limit=str(there))

    def _called(self) -> Reason | None:
        """A call that does not fit the parameters of the function."""
        for kind, pattern in (("missing", MISSING), ("keyword", KEYWORD), ("surplus", SURPLUS)):
            found = pattern.search(self._message)
            if found is not None:
                return self._of_call(kind, found)
        return None

    def _of_call(self, kind: str, found: re.Match[str]) -> Reason | None:
        name = found["called"].rpartition(".")[2]
        node = self._one(ast.Call)
        if not isinstance(node, ast.Call):
            return None
        function = self._function(node, name)
        if function is None:
            return None
        code, path = function
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        takes = ", ".join(each for each in names if each not in ("self", "cls"))
        said = (
            found["names"]
            if kind == "missing"
            else found["name"]
            if kind == "keyword"
            else found["given"]
        )
        place = f"{path}:{code.co_firstlineno}"
        condition = Condition(said.replace("'", "`") if kind == "missing" else said)
        where = self._level.place
        return Reason(
            kind, found["called"], where, (condition,), Condition(takes), place, sure=True
        )

    def _function(self, call: ast.Call, name: str) -> tuple[Any, str] | None:
        """The code of the Python function that a call calls, as the frame has it; a live one only."""
        value = self._value(call.func)
        if is_a(value, type):
            for kind in type.__dict__["__mro__"].__get__(value):
                member = type.__dict__["__dict__"].__get__(kind).get(name)
                if type(member) is type(_operand):
                    return member.__code__, member.__code__.co_filename
            return None
        if type(value) is type(_operand):
            return value.__code__, value.__code__.co_filename
        return None

    def _one(
        self, *kinds: type[ast.AST], accepts: Callable[[ast.AST], bool] = lambda node: True
    ) -> ast.AST | None:
        """The failing expression, or the only one of these kinds on the line."""
        exact = self._level.failing()
        if exact is not None and isinstance(exact, kinds) and accepts(exact):
            return exact
        if exact is not None and self._level.live is not None:
            return None
        found = [n for n in self._level.nodes() if isinstance(n, kinds) and accepts(n)]
        return found[0] if len(found) == 1 else None

    def _value(self, node: ast.expr) -> Any:
        try:
            return self._evaluator(node)
        except Unknown:
            return Unknown

    def _reason(
        self,
        kind: str,
        about: ast.expr,
        names: list[ast.expr],
        known: str = "",
        said: str = "",
        limit: str = "",
    ) -> Reason:
        """`known` is the value that the error itself tells; `said` and `limit` what was asked and what is
        there."""
        traces = Traces(self._tracer, self._index, self._evaluator, {})
        values = traces.of(names)
        if known and len(names) == 1 and ast.unparse(about) == ast.unparse(names[0]):
            values = tuple(v._replace(value=v.value or known) for v in values)
            values = values or (Traced(short(about), known),)
        conditions = (Condition(said),) if said else ()
        outer = Condition(limit) if limit else None
        return self._made(kind, short(about), values, conditions, outer)._replace(
            documented=traces.documented
        )

    def _made(
        self,
        kind: str,
        about: str,
        values: tuple[Traced, ...],
        conditions: tuple[Condition, ...] = (),
        outer: Condition | None = None,
    ) -> Reason:
        level = self._level
        by = level.qualified if level.function is not None else ""
        sure = level.live is not None or kind in ("division", "none")
        return Reason(kind, by, level.place, conditions, outer, about, values, sure=sure)


def _divides(node: ast.AST) -> bool:
    op = getattr(node, "op", None)
    return isinstance(op, ast.Div | ast.FloorDiv | ast.Mod)


def _operand(node: ast.AST | None) -> ast.expr | None:
    match node:
        case ast.Subscript(value=value) | ast.Starred(value=value) | ast.Assign(value=value):
            return value
        case ast.For(iter=value) | ast.comprehension(iter=value):
            return value
        case ast.Call(func=ast.Name(id="iter" | "list" | "tuple" | "len" | "sorted"), args=[value]):
            return value
        case ast.Call(func=func):
            return func
    return None
