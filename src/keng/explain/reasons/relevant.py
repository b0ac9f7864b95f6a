"""Selects the lines of the user's that explain an error: those with a value that the answer names.

A number or word counts if the message, the diagnosis or the reason has it. Small numbers are everywhere: they
count only with the name of the parameter. The call that made the failing layer counts, and what a named
operand was assigned.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from keng.explain.reading.tracebacks import Error
from keng.explain.reasons.assigned import Step, is_assigned
from keng.explain.reasons.calls import last_name
from keng.explain.reasons.constants import Constants
from keng.explain.reasons.evaluation import Evaluator, Unknown
from keng.explain.reasons.levels import Level, of_frames, of_traceback
from keng.explain.reasons.origins import written
from keng.explain.reasons.source import Source, Sources
from keng.explain.reasons.written import LOADS, Written
from keng.model import Explanation, Span, Traced, WrittenAt

MOST = 3
LONGEST = 600
"""Characters of a message that are read; what is below is mostly data."""
SMALL = 3
"""Numbers below it are not looked for."""
LARGE = 10
"""Numbers below it are likely to be others that have the same value."""
MOST_ALIKE = 2
"""A number that more lines have tells nothing."""
NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.]*\w)")
WORD = re.compile(r"(?<!\w)(['\"])([\w.+%/ -]{1,40})\1|\b([a-z]\w*[_-]\w+)\b")
NAMED = re.compile(r"`([A-Za-z_]\w{0,40})(?=[`.(\[])")
LAYER = re.compile(r"`([\w.]+)` \((\w+)\)")
SHAPED = re.compile(r"Tensor |ndarray |Parameter ")
"""Values that are tensors, whose other sizes tell nothing."""
ABOUT_NONE = re.compile(r"\bNone(?:Type)?\b")
INNER = re.compile(r"\[['\"](\w+)['\"]\]$|\.(\w+)$")
OBJECT = re.compile(r"<(\w+) object>")
STEM = re.compile(r"[a-z]{4,}")
CONVERSIONS = frozenset(
    {"tensor", "as_tensor", "from_numpy", "array", "asarray", "t", "contiguous", "to_numpy"}
)
"""Calls that keep the elements of what they are given."""
ROUND = ("int", "len", "max", "min", "round", "sum", "range", "float")
BARE = (ast.Name, ast.Attribute, ast.Subscript)

Valued: TypeAlias = "tuple[tuple[Step, ...], object]"
"""A path to a step, and the value of that."""


def written_for(
    explanation: Explanation, raised: BaseException | None, error: Error | None
) -> tuple[WrittenAt, ...]:
    """The lines of the user's that gave the failing call the values that an answer names, at most three: of
    a live exception, else of the frames of a text. Never raises."""
    try:
        sources = Sources()
        if raised is not None:
            levels = of_traceback(raised.__traceback__, sources)
        else:
            levels = of_frames(error.frames, sources) if error is not None else []
        message = error.message if error is not None else ""
        return tuple(_chosen(levels, _Named(explanation, levels, message)))[:MOST]
    except Exception:
        return ()


class _Named:
    """What an answer names: numbers, words, and names of operands and parameters."""

    def __init__(self, explanation: Explanation, levels: Sequence[Level], message: str) -> None:
        reason = explanation.reason
        values = reason.values if reason is not None else ()
        says = next((each.hit.says for each in explanation.diagnoses), "")
        fact = says.partition(". ")[0]  # a number of the advice is not the user's
        raised = f"{explanation.error}\n{message[:LONGEST]}"
        text = f"{raised}\n{fact}\n" + "\n".join(
            each.value for each in values if not SHAPED.match(each.value)
        )
        said = [quoted or bare for _, quoted, bare in WORD.findall(text)]
        self.numbers = {int(each) for each in NUMBER.findall(text)}
        self.words = {each for each in said if not each.isdigit()}
        self.none = ABOUT_NONE.search(f"{explanation.error}\n{fact}") is not None
        self.parameters = {name for each in values for name in _names_of(each)}
        self._unseen = {name for each in values if not each.value for name in _names_of(each)}
        self.operands = set(NAMED.findall(says))
        facts = explanation.facts
        self.layer = LAYER.fullmatch(facts.layer) if facts is not None else None
        self._stems = set(STEM.findall(f"{raised} {fact}".lower()))
        self._types = _receivers(levels)
        self.kinds = [*self._types, *(k for v in values for k in OBJECT.findall(v.value))]
        self._frames = [level.live for level in levels if level.user and level.live is not None]

    def relates(self, step: Step) -> bool:
        """Whether the name of a setting is said in the answer, as a whole or in part."""
        if step.name in self.parameters:
            return True
        stems = STEM.findall(step.name.lower())
        return any(each.rstrip("s") in {s.rstrip("s") for s in self._stems} for each in stems)

    def is_another(self, call: ast.Call, kind: str) -> bool:
        """Whether a call makes objects of another class that has the same name."""
        running = self._types.get(kind)
        for frame in self._frames:
            try:
                return running is not None and Evaluator(frame)(call.func) is not running
            except Unknown:
                continue
        return False

    def has(self, step: Step, value: object) -> bool:
        if value is None:
            literal = isinstance(step.node, ast.Constant) and step.node.value is None
            return literal and self.none and step.text.startswith("return ")
        if type(value) is bool:
            return step.name in self.parameters
        if type(value) in (int, float) and step.name in self._unseen:
            return True
        if type(value) is int:
            return value in self.numbers and (value >= SMALL or self.relates(step))
        if isinstance(value, str):
            return value in self.words or step.name in self.parameters
        if isinstance(value, dict):
            return any(isinstance(key, str) and key in self.words for key in value)
        if isinstance(value, float):
            return step.name in self.parameters
        if isinstance(value, tuple | list):
            return any(type(e) is int and e >= SMALL and e in self.numbers for e in value) or any(
                isinstance(e, str) and e in self.words for e in value
            )
        return False

    def names(self, step: Step) -> bool:
        """Where the answer has no number, how an operand was made is not what is at fault."""
        return step.name.rpartition(".")[2] in self.parameters | self.operands


def _names_of(traced: Traced) -> set[str]:
    """`T_0` and `updates` of a parameter that was given `T_0=updates`, `heads` of `config["heads"]`."""
    parts = {part for part in traced.text.split("=") if part.isidentifier()}
    inner = {one or other for one, other in INNER.findall(traced.text)}
    return {*parts, *inner, traced.name.rpartition(".")[2], traced.parameter} - {""}


def _chosen(levels: Sequence[Level], named: _Named) -> Iterator[WrittenAt]:
    user = [level for level in levels if level.user and level.source is not None]
    sources: list[Source] = list({id(e.source): e.source for e in user if e.source}.values())
    level = user[-1] if user else None
    node = (level.failing() or _statement(level)) if level is not None else None
    if level is None or level.source is None or node is None:
        return
    writing = Written(list(levels), sources)
    constants = Constants(levels, writing)
    paths = list(writing.paths(level.source, node))
    told = [(path, _value(constants, writing, path[-1])) for path in paths]
    told = [(path, value) for path, value in told if named.has(path[-1], value)]
    chosen = list(_ranked(told, writing, named, paths))
    if not any(_rank(each, named) < MOST for each in told):
        named.operands |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        chosen += [_shown(path) for path in paths if _is_root(path, named)]
    here = Span(level.path, level.line)[:2]  # is shown anyway
    yield from _one_of_each_line(e for e in chosen if e is not None and e.where[:2] != here)


def _ranked(
    told: list[Valued], writing: Written, named: _Named, paths: list[tuple[Step, ...]]
) -> Iterator[WrittenAt | None]:
    """Settings that the answer speaks of, named values, the failing layer, what named operands were made by,
    arguments without a name, small numbers."""
    ranks: dict[int, list[Valued]] = {0: [], 1: [], 2: [], 3: []}
    for each in told:
        ranks[_rank(each, named)].append(each)
    for rank in (0, 1):
        yield from (_shown(path) for path, value in ranks[rank] if _is_telling(value, ranks[rank]))
    yield from _constructors(writing, named)
    yield from (_shown(path) for path in paths if _is_root(path, named))
    for rank in (2, 3):
        yield from (_shown(path) for path, value in ranks[rank] if _is_telling(value, told))


def _rank(told: Valued, named: _Named) -> int:
    (*_, step), value = told
    if named.relates(step):
        return 0
    if type(value) is int and value < LARGE:
        return 3
    return 1 if step.name else 2


def _one_of_each_line(found: Iterable[WrittenAt]) -> Iterator[WrittenAt]:
    """An argument hides the call that it is in."""
    seen: list[WrittenAt] = []
    for each in found:
        if any(e.where == each.where and _overlap(e, each) for e in seen):
            continue
        seen.append(each)
        yield each


def _overlap(one: WrittenAt, other: WrittenAt) -> bool:
    return one.text in other.text or other.text in one.text


def _receivers(levels: Sequence[Level]) -> dict[str, type | None]:
    """The classes of the objects whose methods were running below the user's last line, deepest first."""
    found: dict[str, type | None] = {}
    for level in reversed(levels):
        if level.user:
            break
        receiver = level.live.f_locals.get("self") if level.live is not None else None
        if receiver is not None:
            found.setdefault(type(receiver).__name__, type(receiver))
        elif level.owner:
            found.setdefault(level.owner, None)
    return found


def _statement(level: Level) -> ast.AST | None:
    """What is on the line of a text, where the failing part of it is not known."""
    nodes = level.nodes()
    tree = level.tree
    last = nodes[-1] if nodes else None
    return tree.statement(last) if tree is not None and last is not None else None


def _value(constants: Constants, writing: Written, step: Step) -> object:
    source = writing.source_of(step)
    return constants.of(source, step.node) if source is not None else None


def _shown(path: tuple[Step, ...]) -> WrittenAt | None:
    """A step; of an argument without a name the call that it is in, if that was assigned."""
    for step in path[:-3:-1]:
        returned = step.text.startswith("return ")
        if step.name or returned or "(" in step.text:
            constant = isinstance(step.node, ast.Constant)
            text = step.text if constant else step.text.removeprefix("return ")
            return WrittenAt(text, step.where)
    return None


def _is_telling(value: object, found: list[Valued]) -> bool:
    """Whether few lines have that value."""
    same = {path[-1].where for path, other in found if repr(other) == repr(value)}
    return len(same) <= MOST_ALIKE


def _constructors(writing: Written, named: _Named) -> Iterator[WrittenAt]:
    """The call in the user's files that made the failing layer, or the object that raised."""
    if named.layer is not None and any(each >= SMALL for each in named.numbers):
        made = _made(writing, *named.layer.groups())
        if made is not None:
            yield made
            return
    for kind in named.kinds:
        calls = [each for each in writing.calls(kind) if not named.is_another(each[1], kind)]
        if len(calls) == 1 and not kind.endswith("Loss"):
            yield _call(*calls[0])
            return


def _call(source: Source, call: ast.Call) -> WrittenAt:
    return WrittenAt(written(source, call), Span(source.path, call.lineno))


def _made(writing: Written, path: str, kind: str) -> WrittenAt | None:
    """The call that made the layer at a dotted path of modules, or the deepest one above it that is the
    user's."""
    calls = list(writing.calls(kind))
    if len(calls) > 1:
        calls = [(source, call) for source, call in calls if _is_under(source, call, path)]
    parts = path.split(".")
    while not calls and len(parts) > 1:
        calls = [each for each in writing.assigned_calls(parts[-1]) if each[1].args]
        parts.pop()
    return (
        _call(*calls[0]) if len(calls) == 1 and (calls[0][1].args or calls[0][1].keywords) else None
    )


def _is_under(source: Source, call: ast.Call, path: str) -> bool:
    """Whether a call is what a dotted path of modules leads to: `self.emb = nn.Embedding(...)`, or an element
    of an assigned Sequential."""
    *_, owner, last = ["", *path.split(".")]
    tree = source.whole
    parent = tree.parents.get(call) if tree is not None else None
    if last.isdigit() and isinstance(parent, ast.Call) and call in parent.args:
        return parent.args.index(call) == int(last) and is_assigned(source, parent, owner)
    return is_assigned(source, call, last)


def _is_root(path: tuple[Step, ...], named: _Named) -> bool:
    """Whether it is what a named parameter or operand was computed from."""
    *before, step = path
    if isinstance(step.node, BARE) or (isinstance(step.node, ast.Constant) and not before):
        return False
    start = next((n for n, each in enumerate(path) if named.names(each)), None)
    if start is None or _is_handed_on(step):
        return False
    between = path[start:-1]
    if all(_hands_on(each, path[start + n + 1]) for n, each in enumerate(between)):
        return not isinstance(step.node, ast.Constant) or bool(between)
    counted = all(isinstance(each.node, BARE) or _is_counted(each.node) for each in between)
    return counted and isinstance(step.node, ast.Constant) and type(step.node.value) in (int, float)


def _is_handed_on(step: Step) -> bool:
    """A loop over a loader, an item of a dataset."""
    if step.text.startswith("for "):
        return True
    parted = isinstance(step.node, ast.Tuple) and step.part is not None
    return step.text.startswith("return ") and (parted or isinstance(step.node, BARE))


def _hands_on(step: Step, following: Step) -> bool:
    """Whether a step gives another name to the same value: an alias, a loader, a function that returns it."""
    if isinstance(step.node, BARE) or _is_handed_on(step) or following.text.startswith("return "):
        return True
    calls = [each for each in ast.walk(step.node) if isinstance(each, ast.Call)]
    names = {last_name(each.func) for each in calls}
    return bool(calls) and names <= {*CONVERSIONS, *LOADS}


def _is_counted(node: ast.expr) -> bool:
    """Whether an expression is arithmetic."""
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    return all(isinstance(each.func, ast.Name) and each.func.id in ROUND for each in calls)
