"""Where a value in library code came from: followed frame by frame to what the user wrote."""

from __future__ import annotations

import ast
import builtins
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from keng.explain.reasons.calls import (
    RECEIVERS,
    Unpacked,
    bind,
    call_into,
    collects_receiver,
    default_of,
    is_bound,
    last_name,
    parameters,
    positional,
    takes_receiver,
)
from keng.explain.reasons.evaluation import Evaluator, Unknown, attribute, partial_keywords
from keng.explain.reasons.levels import Level
from keng.explain.reasons.showing import shown
from keng.explain.reasons.source import FUNCTIONS, Function, Source, Sources
from keng.model import Span

MOST_HOPS = 8
MOST_NAMES = 4
LONGEST_SECONDS = 1.0
MOST_STEPS = 200
"""Names followed for one error, all together."""
MOST_CLASSES = 6
LONGEST = 70
TENSOR_ATTRIBUTES = ("shape", "dtype", "device", "ndim")
SIMPLE = (bool, int, float, str, type(None))
COUNTING = ("range", "enumerate", "zip")

How = Literal["argument", "default", "assigned", "set", "alike"]
"""argument: of a call. default: not given. assigned: to a variable. set: in a constructor call of the user's.
alike: the only keyword of that name and value in the user's files, so it is only probable."""


class Origin(NamedTuple):
    """What the user wrote. `parameter` is the one of the function that the user called, and `entered` the
    level of that; `direct` tells whether the value was passed on unchanged."""

    text: str
    where: Span
    how: How
    parameter: str = ""
    called: str = ""
    entered: int | None = None
    direct: bool = False
    node: ast.expr | None = None


def short(node: ast.AST | str, longest: int = LONGEST) -> str:
    text = " ".join((node if isinstance(node, str) else ast.unparse(node)).split())
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def written(source: Source | None, node: ast.AST) -> str:
    """An expression as the file has it; one of several lines as `ast` writes it."""
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    if source is None or not first or first != last or first > len(source.lines):
        return short(node)
    line = source.lines[first - 1].encode()
    text = line[node.col_offset : node.end_col_offset].decode(errors="replace")  # type: ignore[attr-defined]
    return short(text or node)


def bound_names(function: Function | None) -> set[str]:
    """The names that a function binds itself, which may be those of builtins."""
    if function is None:
        return set()
    nodes = list(ast.walk(function))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in nodes if isinstance(n, ast.arg)}


def data_names(node: ast.AST, function: Function | None) -> list[ast.expr]:
    """The names and dotted names in an expression that hold data: not what is called, not builtins."""
    own = bound_names(function)
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    called = {id(call.func) for call in calls}
    found: dict[str, ast.expr] = {}

    def is_data(name: str) -> bool:
        return name in own or not hasattr(builtins, name)

    def visit(each: ast.AST) -> None:
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            held = each.value.id in RECEIVERS or (
                each.value.id in own and each.attr not in TENSOR_ATTRIBUTES
            )
            if held and id(each) not in called:
                found.setdefault(ast.unparse(each), each)
                return
        if isinstance(each, ast.Name) and id(each) not in called and is_data(each.id):
            found.setdefault(each.id, each)
        for child in ast.iter_child_nodes(each):
            visit(child)

    visit(node)
    return list(found.values())


class Tracer:
    """Follows names through the levels of one traceback."""

    def __init__(self, levels: list[Level], sources: Sources) -> None:
        self.levels = levels
        self.sources = sources
        self._steps = 0
        self._end = time.thread_time() + LONGEST_SECONDS

    def origins(self, index: int, node: ast.expr, hops: int = 0) -> list[Origin]:
        """What the user wrote for a name or dotted name on a level; nothing where that is not clear."""
        self._steps += 1
        level = self.levels[index]
        if hops > MOST_HOPS or level.source is None or self._is_over():
            return []
        if isinstance(node, ast.Attribute):
            return self._of_attribute(index, node, hops)
        if not isinstance(node, ast.Name):
            return []
        return self._of_name(index, node.id, hops)

    def _is_over(self) -> bool:
        return self._steps > MOST_STEPS or time.thread_time() > self._end

    def _of_name(self, index: int, name: str, hops: int) -> list[Origin]:
        level, function = self.levels[index], self.levels[index].function
        is_parameter = function is not None and name in _every_parameter(function)
        given = [v for v in _assigned(level, name) if not _is_skipped(level, v, is_parameter)]
        if given and not (is_parameter and _refers(given[0], name)):
            return self._of_value(index, name, given[0], hops)
        if not is_parameter or index == 0:
            return []
        return self._of_argument(index, name, hops)

    def _of_value(self, index: int, name: str, value: ast.expr, hops: int) -> list[Origin]:
        level = self.levels[index]
        if level.user:
            if isinstance(value, ast.Call) and last_name(value.func) in COUNTING:
                return []
            where = Span(level.path, value.lineno)
            return [
                Origin(
                    written(level.source, value), where, "assigned", name, direct=True, node=value
                )
            ]
        return _derived(self._of_names(index, value, level.function, hops))

    def _of_names(
        self, index: int, node: ast.expr, function: Function | None, hops: int
    ) -> list[Origin]:
        """What the user wrote for the names in an expression of a function that runs on a level."""
        names = data_names(node, function)[:MOST_NAMES]
        return [origin for each in names for origin in self.origins(index, each, hops + 1)]

    def _of_argument(self, index: int, name: str, hops: int) -> list[Origin]:
        """The argument on the level above that became a parameter."""
        call, function = call_into(self.levels, index), self.levels[index].function
        if call is None or function is None:
            return []
        given = bind(call, function, is_bound(self.levels, index, call)).get(name)
        if isinstance(given, list):
            given = given[0]
        if given is None:
            return self._not_given(index, name, call)
        if isinstance(given, Unpacked):
            return self._of_unpacked(index - 1, given, hops + 1, index)
        return self._of_given(index, name, call, given, hops)

    def _of_given(
        self, index: int, name: str, call: ast.Call, given: ast.expr, hops: int
    ) -> list[Origin]:
        above = self.levels[index - 1]
        if above.user:
            return [_argument(above, call, given, name, index)]
        found = self._of_names(index - 1, given, above.function, hops)
        plain = isinstance(given, ast.Name | ast.Attribute)
        return found if plain else _derived(found)

    def _not_given(self, index: int, name: str, call: ast.Call) -> list[Origin]:
        """The default, if the user's own call left the parameter out; or what a `partial` holds."""
        level, above = self.levels[index], self.levels[index - 1]
        if level.function is None or not above.user:
            return []
        held = _held_by_partial(above, call)
        where = _place(above, call)
        if name in held:
            return [Origin(f"{name}={shown(held[name], name)}", where, "argument", name)]
        default = default_of(level.function, name)
        if default is None:
            return []
        called = last_name(call.func)
        return [Origin(short(default), where, "default", name, called, index, True, default)]

    def _of_unpacked(self, index: int, given: Unpacked, hops: int, into: int) -> list[Origin]:
        """A level received `*args` or `**kwargs` and passed them on."""
        level = self.levels[index]
        function = level.function
        if level.user:
            where, sign = level.place, "*" if given.place is not None else "**"
            return [Origin(f"{sign}{short(given.node)}", where, "argument", given.name)]
        if index == 0 or hops > MOST_HOPS or function is None:
            return []
        rest = function.args.vararg if given.place is not None else function.args.kwarg
        if not isinstance(given.node, ast.Name) or rest is None or rest.arg != given.node.id:
            return []
        call = call_into(self.levels, index)
        return self._passed(index, given, call, hops, into) if call is not None else []

    def _passed(
        self, index: int, given: Unpacked, call: ast.Call, hops: int, into: int
    ) -> list[Origin]:
        """The element of the call above that a level collected and passed on."""
        level, above = self.levels[index], self.levels[index - 1]
        named = [keyword.value for keyword in call.keywords if keyword.arg == given.name]
        found = named[0] if named else None
        if found is None and given.place is not None and level.function is not None:
            skipped = takes_receiver(self.levels, index) or collects_receiver(self.levels, index)
            place = given.place + len(positional(level.function)) - skipped
            starred = [n for n, a in enumerate(call.args) if isinstance(a, ast.Starred)]
            if starred and starred[0] <= place:
                node = call.args[starred[0]]
                inner = node.value if isinstance(node, ast.Starred) else node
                again = Unpacked(place - starred[0], given.name, inner)
                return self._of_unpacked(index - 1, again, hops + 1, into)
            found = call.args[place] if 0 <= place < len(call.args) else None
        doubled = [keyword.value for keyword in call.keywords if keyword.arg is None]
        if found is None and doubled:
            again = Unpacked(None, given.name, doubled[-1])
            return self._of_unpacked(index - 1, again, hops + 1, into)
        if found is None:
            return self._left_out(index, given.name, call, into)
        if above.user:
            return [_argument(above, call, found, given.name, into)]
        return self._of_names(index - 1, found, above.function, hops)

    def _left_out(self, index: int, name: str, call: ast.Call, into: int) -> list[Origin]:
        """The default of the wrapped function, if the user's call did not give the parameter."""
        above, function = self.levels[index - 1], self.levels[into].function
        default = default_of(function, name) if function is not None and above.user else None
        if default is None:
            return []
        where, called = _place(above, call), last_name(call.func)
        return [Origin(short(default), where, "default", name, called, into, True, default)]

    def _of_attribute(self, index: int, node: ast.Attribute, hops: int) -> list[Origin]:
        """`self.x` through `__init__` to the call of the constructor; `config.x` to that of the object."""
        level = self.levels[index]
        if not isinstance(node.value, ast.Name):
            return []
        if node.value.id not in RECEIVERS:
            kind = _class_name(level, node.value.id)
            found = self._of_constructor(kind, self._init(kind), node.attr) if kind else []
            owners = self.origins(index, node.value, hops + 1) if not found else []
            return found or self._made_with(owners, node.attr) or _derived(owners)
        found = self._set_here(index, node.attr, hops)
        if found:
            return found
        classes = list(self._classes(level))[:MOST_CLASSES]
        for owner, source in classes:
            found = self._set_in(index, owner, source, classes[0][0], node.attr, hops)
            if found:
                return found
        kind = classes[0][0] if classes else ""
        return self._of_constructor(kind, self._init(kind), node.attr) if kind else []

    def _made_with(self, owners: list[Origin], name: str) -> list[Origin]:
        """The keyword of the call that made the object which the user passed."""
        owner = owners[0] if len(owners) == 1 else None
        node = owner.node if owner is not None else None
        level = next(
            (e for e in self.levels if owner is not None and e.path == owner.where.path), None
        )
        if isinstance(node, ast.Name) and level is not None:
            values = _assigned(level, node.id)
            node = values[0] if values else None
        if not isinstance(node, ast.Call) or level is None or level.source is None:
            return []
        kind = last_name(node.func)
        init, source = self._init(kind), level.source
        return _given_to_constructor(source, node, kind, init, name, []) if kind else []

    def _set_here(self, index: int, name: str, hops: int) -> list[Origin]:
        """What the same function assigned to the attribute before."""
        level = self.levels[index]
        tree, function = level.tree, level.function
        if tree is None or function is None:
            return []
        values = [v for v in _values_set(function, name) if (v.end_lineno or v.lineno) < level.line]
        value = values[-1] if values else None
        if value is None or _is_skipped(level, value, False):
            return []
        if level.user and isinstance(value, ast.Constant):
            return [
                Origin(
                    written(level.source, value),
                    Span(level.path, value.lineno),
                    "assigned",
                    direct=True,
                )
            ]
        found = self._of_names(index, value, function, hops)
        return found if isinstance(value, ast.Name) else _derived(found)

    def _classes(self, level: Level) -> Iterator[tuple[str, Source]]:
        """The class of the object and its bases, with their files."""
        receiver = level.live.f_locals.get("self") if level.live is not None else None
        if receiver is None:
            if level.source is not None and level.owner:
                yield level.owner, level.source
                for base in level.source.bases(level.owner):
                    if level.source.class_line(base):
                        yield base, level.source
            return
        for kind in type(receiver).__mro__[:-1]:
            source = self.sources.read(_file_of(kind, level))
            if source is not None and source.class_line(kind.__name__):
                yield kind.__name__, source

    def _set_in(
        self, index: int, owner: str, source: Source, kind: str, name: str, hops: int
    ) -> list[Origin]:
        """An attribute that the constructor of a class sets, or that is a field of a dataclass."""
        method = source.method(owner, "__init__") or source.method(owner, "__post_init__")
        if method is not None:
            _, init = method
            for value in _values_set(init, name):
                found = self._of_set(index, source, init, kind, value, hops)
                if found:
                    return found
        return self._of_constructor(kind, None, name) if name in source.fields(owner) else []

    def _of_set(
        self,
        index: int,
        source: Source,
        init: ast.FunctionDef,
        kind: str,
        value: ast.expr,
        hops: int,
    ) -> list[Origin]:
        running = self._running(index, source, init)
        if running is not None:
            found = self._of_names(running, value, init, hops)
            return found if isinstance(value, ast.Name) else _derived(found)
        if isinstance(value, ast.Constant) and source.user:
            where = Span(source.path, value.lineno)
            return [Origin(written(source, value), where, "assigned", direct=True, node=value)]
        names = data_names(value, init)[:MOST_NAMES]
        plain = [each.id for each in names if isinstance(each, ast.Name)]
        found = [
            origin
            for each in plain
            for origin in self._of_constructor(kind, self._signature(kind, init, each), each)
        ]
        return found if isinstance(value, ast.Name) else _derived(found)

    def _signature(self, kind: str, init: ast.FunctionDef, name: str) -> ast.FunctionDef | None:
        """The constructor whose parameters a call of a class gives, if it has that parameter: that of the
        class itself before that of a base. With None only a keyword of that name counts."""
        own = self._init(kind)
        if own is None or own is init:
            return init
        return own if name in parameters(own) else None

    def _running(self, index: int, source: Source, init: ast.FunctionDef) -> int | None:
        """The level on which that constructor of the same object is running."""
        mine = self.levels[index]
        for n in range(index, -1, -1):
            level = self.levels[n]
            function = level.function if level.name == init.name else None
            if function is None or level.source is not source or function.lineno != init.lineno:
                continue
            if mine.live is None or level.live is None:
                return n
            if level.live.f_locals.get("self") is mine.live.f_locals.get("self"):
                return n
        return None

    def _of_constructor(self, kind: str, init: ast.FunctionDef | None, name: str) -> list[Origin]:
        """The one call of a class in the user's files that gives a parameter."""
        found: list[list[Origin]] = []
        fields = self._fields(kind) if init is None else []
        for source in self.user_sources():
            for node in source.whole.nodes if source.whole is not None else ():
                if isinstance(node, ast.Call) and last_name(node.func) == kind:
                    found.append(_given_to_constructor(source, node, kind, init, name, fields))
        return _only_one(found, self._value(kind, name))

    def _init(self, kind: str) -> ast.FunctionDef | None:
        """The constructor of a class in one of the files that were read."""
        methods = (source.method(kind, "__init__") for source in self.sources.all())
        found = next((method for method in methods if method is not None), None)
        return found[1] if found is not None else None

    def _value(self, kind: str, name: str) -> Any:
        """The value of the attribute on the object of that class that the deepest live frame has."""
        frame = self.levels[-1].live
        for owner in frame.f_locals.values() if frame is not None else ():
            if type(owner).__name__ == kind:
                try:
                    return attribute(owner, name)
                except Unknown:
                    return Unknown
        return Unknown

    def _fields(self, kind: str) -> list[str]:
        """The fields of a dataclass in order, those of its base in the same file first."""
        for source in self.sources.all():
            if source.class_line(kind):
                bases = [name for base in source.bases(kind) for name in source.fields(base)]
                return list(dict.fromkeys([*bases, *source.fields(kind)]))
        return []

    def user_sources(self) -> list[Source]:
        for level in self.levels:
            if level.user:
                _ = level.source
        return self.sources.users()

    def alike(self, name: str, value: Any) -> list[Origin]:
        """The only keyword of that name and value in the user's files."""
        if type(value) not in (int, float, str):
            return []
        found = [
            Origin(f"{name}={value!r}", Span(source.path, keyword.value.lineno), "alike", name)
            for source in self.user_sources()
            for node in (source.whole.nodes if source.whole is not None else ())
            if isinstance(node, ast.Call)
            for keyword in node.keywords
            if keyword.arg == name
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value == value
        ]
        return found if len(found) == 1 else []


def _of_class(source: Source, call: ast.Call, kind: str, given: ast.expr) -> str:
    """`Gate(32, heads=4)`; of a long call the argument alone: `BertConfig(..., num_attention_heads=6)`."""
    whole = " ".join(ast.unparse(call).split())
    if len(whole) <= LONGEST - 20:
        return written(source, call)
    keyword = next((each.arg for each in call.keywords if each.value is given), None)
    said = short(written(source, given), LONGEST - 20)
    return f"{kind}(..., {keyword}={said})" if keyword else f"{kind}(..., {said}, ...)"


def _every_parameter(function: Function) -> list[str]:
    rest = [each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None]
    return [*parameters(function), *rest]


def _place(level: Level, node: ast.AST) -> Span:
    """The line of a node of a level; of a line that only the text shows, that line."""
    line = getattr(node, "lineno", level.line)
    return Span(level.path, line if level.source is not None else level.line)


def _argument(level: Level, call: ast.Call, given: ast.expr, name: str, index: int) -> Origin:
    keyword = next((each.arg for each in call.keywords if each.value is given), None)
    said = written(level.source, given)
    text = f"{keyword}={said}" if keyword else said
    called = last_name(call.func)
    return Origin(text, _place(level, given), "argument", name, called, index, True, given)


def _derived(origins: Iterable[Origin]) -> list[Origin]:
    """Origins of what a value was computed from; what was not given explains nothing there."""
    return [each._replace(direct=False) for each in origins if each.how != "default"]


def _held_by_partial(level: Level, call: ast.Call) -> dict[str, Any]:
    if level.live is None:
        return {}
    try:
        return dict(partial_keywords(Evaluator(level.live)(call.func)))
    except Unknown:
        return {}


def _class_name(level: Level, name: str) -> str:
    if level.live is None or name not in level.live.f_locals:
        return ""
    kind = type(level.live.f_locals[name])
    return "" if kind.__module__ == "builtins" else kind.__name__


def _file_of(kind: type, level: Level) -> str:
    """The file of the class; the program itself may be loaded under another name than its module's."""
    assert level.live is not None
    if kind.__module__ in ("__main__", level.live.f_globals.get("__name__")):
        return level.path
    path = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return path if isinstance(path, str) and os.path.splitext(path)[1] == ".py" else ""


def _values_set(init: Function, name: str) -> Iterator[ast.expr]:
    """What the constructor assigns to `self.name`."""
    for node in ast.walk(init):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target, value in paired(targets, node.value):
                own = isinstance(target, ast.Attribute) and last_name(target.value) == "self"
                if own and last_name(target) == name:
                    yield value


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple | ast.List) else [node]


def paired(targets: Sequence[ast.expr], value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets with their values, `a, b = x, y` taken apart."""
    for target in targets:
        targets_in, values_in = _elements(target), _elements(value)
        if len(targets_in) == len(values_in):
            yield from zip(targets_in, values_in, strict=True)
        else:
            yield from ((each, value) for each in targets_in)


def _assigned(level: Level, name: str) -> list[ast.expr]:
    """The values given to a name above the line of a level, the last one first."""
    tree, function = level.tree, level.function
    if tree is None:
        return []
    found: list[tuple[int, ast.expr]] = []
    for node in ast.walk(function) if function is not None else tree.nodes:
        line = getattr(node, "lineno", level.line)
        if line >= level.line or (function is None and tree.function(node) is not None):
            continue
        found += [(line, value) for value in stored_values(node, name)]
    return [value for _, value in sorted(found, key=lambda each: -each[0])]


def stored_values(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a statement gives to a name."""
    if isinstance(node, ast.Assign):
        pairs = list(paired(node.targets, node.value))
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
        pairs = [(node.target, node.value)]
    elif isinstance(node, ast.For):
        inside = [each for each in ast.walk(node.target) if isinstance(each, ast.Name)]
        pairs = [(each, node.iter) for each in inside]
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        pairs = [(node.optional_vars, node.context_expr)]
    else:
        return
    for target, value in pairs:
        if isinstance(target, ast.Name) and target.id == name:
            yield value


def _is_skipped(level: Level, value: ast.expr, is_parameter: bool) -> bool:
    """Whether an assignment stands in a branch that was not taken. One of a parameter counts only where that
    is known."""
    tree = level.tree
    evaluator = Evaluator(level.live) if level.live is not None else None
    child: ast.AST = value
    parent = tree.parents.get(child) if tree is not None else None
    while tree is not None and parent is not None and not isinstance(parent, FUNCTIONS):
        if isinstance(parent, ast.If):
            inside = child in parent.body
            if parent.lineno <= level.line <= (parent.end_lineno or 0):
                branch = parent.body if inside else parent.orelse
                if not any(e.lineno <= level.line <= (e.end_lineno or 0) for e in branch):
                    return True
            else:
                truth = evaluator.truth(parent.test) if evaluator is not None else None
                if truth is None and is_parameter:
                    return True
                if truth is not None and truth != inside:
                    return True
        child, parent = parent, tree.parents.get(parent)
    return False


def _refers(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _only_one(calls: list[list[Origin]], value: Any) -> list[Origin]:
    """The origin in the one call of a class; of several calls, the one that gave the value that is there."""
    if len(calls) == 1:
        return calls[0]
    fitting = [found for found in calls if found and is_literal(found[0].node, value)]
    return fitting[0] if len(fitting) == 1 and all(calls) else []


def is_literal(node: ast.expr | None, value: Any) -> bool:
    """Whether an expression is a literal of exactly that value."""
    try:
        literal = ast.literal_eval(node) if node is not None else Unknown
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return type(literal) is type(value) and type(value) in SIMPLE and literal == value


def contradicts(node: ast.expr | None, value: Any) -> bool:
    """Whether an expression is a literal of another value."""
    literal = isinstance(node, ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    )
    return literal and type(value) in SIMPLE and not is_literal(node, value)


def _given_to_constructor(
    source: Source,
    call: ast.Call,
    kind: str,
    init: ast.FunctionDef | None,
    name: str,
    fields: list[str],
) -> list[Origin]:
    given: Any = next((each.value for each in call.keywords if each.arg == name), None)
    if given is None and init is not None:
        given = bind(call, init, True).get(name)
    elif given is None and name in fields and fields.index(name) < len(call.args):
        given = call.args[fields.index(name)]
    if isinstance(given, ast.expr) and not isinstance(given, ast.Starred):
        text = _of_class(source, call, kind, given)
        where = Span(source.path, given.lineno)
        return [Origin(text, where, "set", name, kind, direct=True, node=given)]
    default = default_of(init, name) if init is not None else None
    if default is not None and given is None:
        where = Span(source.path, call.lineno)
        return [Origin(short(default), where, "default", name, kind, direct=True, node=default)]
    return []
