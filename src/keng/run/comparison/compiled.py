"""The eager forward of a model against the compiled one: first the whole, then the modules one by one, then
the operations of the first that differs."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch import Tensor, fx
from torch.nn import Module

from keng.model import Span
from keng.run.comparison.isolated import Compared
from keng.run.comparison.results import Difference
from keng.run.comparison.values import (
    DRAWS,
    Key,
    Log,
    add_noise,
    explained,
    gap_of,
    logged,
    noisy,
    numbers,
    watched,
)
from keng.run.frames import is_user
from keng.run.probes.compare import OTHER_POSITIONS
from keng.run.probes.copies import copied
from keng.run.probes.locate import Operations, Seen
from keng.run.probes.nested import leaves, rebuild
from keng.run.probes.neutral import seed

SECONDS = 120.0
"""For the search, once the whole is known to differ: every module is compiled by itself."""
LINE = re.compile(r'File "([^"]+)", line (\d+)')


class Worst(NamedTuple):
    """The two values furthest apart in units of the limit, and these."""

    ours: Tensor
    theirs: Tensor
    limit: float
    ratio: float


@dataclass
class Search:
    """`backend` compiles; `until` is when the search ends."""

    backend: str
    until: float = field(default_factory=lambda: time.perf_counter() + SECONDS)

    def compiled(self, model: Module) -> Module:
        return torch.compile(model, backend=self.backend, dynamic=False)  # type: ignore[return-value]


def compare_compiled(model: Module, inputs: tuple[Any, Any], backend: str) -> Compared:
    """Raises: whatever the compiler raises for this model."""
    with warnings.catch_warnings(), _eager_randomness():
        warnings.simplefilter("ignore")
        search = Search(backend)
        worst, count = _judged(search, lambda: copied(model), inputs)
        if worst is None or worst.ratio <= 1:
            return Compared(count, worst.ratio if worst is not None else 0.0, None)
        search.until = time.perf_counter() + SECONDS
        return Compared(count, worst.ratio, _located(search, model, inputs, worst))


def _eager_randomness() -> Any:
    """Compiled code draws other numbers than eager code unless it is asked to."""
    import torch._inductor.config as inductor

    return inductor.patch(fallback_random=True)


def _judged(
    search: Search, make: Callable[[], Module], inputs: tuple[Any, Any]
) -> tuple[Worst | None, int]:
    """How far the compiled call is from the eager one, and how many values it gave."""
    seed(0)
    eager = _outputs(watched(make(), inputs))
    seed(0)
    other = _outputs(watched(search.compiled(make()), inputs))
    pairs = [(a, b) for a, b in zip(eager, other, strict=False) if a.shape == b.shape and a.numel()]
    eps = max((torch.finfo(a.dtype).eps for a, _ in pairs), default=0.0)
    responses = _responses(make, inputs, eager, eps)
    worst: Worst | None = None
    for (ours, theirs), response in zip(pairs, responses, strict=False):
        limit = explained(ours, eps, 1, response, OTHER_POSITIONS)
        found = Worst(ours, theirs, limit, gap_of(ours, theirs) / limit)
        worst = max(worst or found, found, key=lambda each: each.ratio)
    return worst, len(pairs)


def _outputs(out: Any) -> list[Tensor]:
    return [each.detach() for _, each in leaves(out) if each.is_floating_point()]


def _responses(
    make: Callable[[], Module], inputs: tuple[Any, Any], eager: list[Tensor], eps: float
) -> list[float]:
    found = [0.0] * len(eager)
    for _ in range(DRAWS):
        moved = rebuild(inputs, lambda _, each: noisy(eps)(each))
        model = add_noise(make(), eps)
        seed(0)
        other = _outputs(watched(model, moved))
        for at, (one, two) in enumerate(zip(eager, other, strict=False)):
            found[at] = max(found[at], gap_of(one, two) if one.shape == two.shape else 0.0)
    return found


def _located(search: Search, model: Module, inputs: tuple[Any, Any], worst: Worst) -> Difference:
    """Down to the innermost module that differs by itself, given what the eager run gave it."""
    seed(0)
    log = logged(copied(model), inputs)
    name, turn = "", 1
    while found := _guilty_child(search, model, log, name, turn):
        (name, turn), worst = found
    given = log.calls["before", name, turn].value if name else inputs
    inner = model.get_submodule(name)
    line = _operation(search, inner, given)
    kind, place = type(inner).__name__, log.calls["after", name, turn].place
    if line is None:
        ours, theirs = numbers(worst.ours, worst.theirs)
        where = place.where if place is not None else None
        return Difference(name, kind, ours, theirs, worst.limit, where)
    ours, theirs = numbers(line.worst.ours, line.worst.theirs)
    return Difference(name, kind, ours, theirs, line.worst.limit, line.where, line.operation)


def _guilty_child(
    search: Search, model: Module, log: Log, owner: str, turn: int
) -> tuple[tuple[str, int], Worst] | None:
    for phase, name, time_ in _children(log, owner, turn):
        if time.perf_counter() > search.until:
            return None
        inner = model.get_submodule(name)
        worst, _ = _judged(search, lambda: copied(inner), log.calls[phase, name, time_].value)  # noqa: B023
        if worst is not None and worst.ratio > 1:
            return (name, time_), worst
    return None


def _children(log: Log, owner: str, turn: int) -> Iterator[Key]:
    """The calls that one call of a module makes itself, in order."""
    depth = 0
    for key in _within(log, owner, turn):
        phase = key[0]
        if phase == "before":
            if not depth:
                yield key
            depth += 1
        else:
            depth -= 1


def _within(log: Log, owner: str, turn: int) -> list[Key]:
    keys = list(log.calls)
    begin, end = keys.index(("before", owner, turn)), keys.index(("after", owner, turn))
    return keys[begin + 1 : end]


class Line(NamedTuple):
    where: Span
    operation: str
    worst: Worst


def _operation(search: Search, module: Module, inputs: tuple[Any, Any]) -> Line | None:
    """The first node of the compiled graphs whose value no operation of the same line gives in eager mode."""
    eager = Operations("", 1, False)
    seed(0)
    logged(copied(module), inputs, operations=eager)
    nodes = Nodes(search.backend)
    seed(0)
    watched(torch.compile(copied(module), backend=nodes, dynamic=False), inputs)  # type: ignore[arg-type]
    for node, value in nodes.found:
        where = _line_of(node)
        worst = (
            _nearest(value, [each for each in eager.log if _at(each) == where]) if where else None
        )
        if where is not None and worst is not None and worst.ratio > 1:
            return Line(where, _named(node), worst)
    return None


def _at(seen: Seen) -> Span | None:
    return seen.place.where if seen.place is not None else None


def _nearest(value: Tensor, there: list[Seen]) -> Worst | None:
    """The eager value of the same shape that is nearest; None where the line makes none."""
    found = []
    for each in there:
        if each.value.shape == value.shape and value.numel():
            eps = torch.finfo(each.value.dtype).eps
            limit = explained(each.value, eps, 1, 0.0, OTHER_POSITIONS)
            found.append(Worst(each.value, value, limit, gap_of(each.value, value) / limit))
    return min(found, key=lambda each: each.ratio, default=None)


def _line_of(node: fx.Node) -> Span | None:
    """The innermost user's line of the stack that dynamo noted."""
    lines = LINE.findall(node.meta.get("stack_trace") or "")
    user = [(path, int(line)) for path, line in lines if is_user(path)]
    return Span(*user[-1]) if user else None


def _named(node: fx.Node) -> str:
    return str(getattr(node.target, "__name__", node.target)).rpartition(".")[2]


class Nodes:
    """A backend that compiles each graph so that it returns the values of all its nodes as well."""

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self.found: list[tuple[fx.Node, Tensor]] = []

    def __call__(self, graph: fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        seen = [n for n in graph.graph.nodes if n.op not in ("placeholder", "output", "get_attr")]
        wide = _returning(graph, seen)
        compiled = torch.compile(wide, backend=self.backend, dynamic=False)

        @torch._dynamo.disable  # type: ignore[untyped-decorator]
        def run(*given: Any) -> Any:
            values, out = compiled(*given)
            for node, value in zip(seen, values, strict=True):
                if isinstance(value, Tensor) and value.is_floating_point():
                    self.found.append((node, value.detach().clone()))
            return out

        compiled_graph: Callable[..., Any] = run
        return compiled_graph


def _returning(graph: fx.GraphModule, nodes: list[fx.Node]) -> fx.GraphModule:
    """The same graph, which returns (values of these nodes, its own output)."""
    new = fx.Graph()
    own: dict[fx.Node, fx.Node] = {}
    result = new.graph_copy(graph.graph, own)
    new.output((tuple(own[each] for each in nodes), result))
    return fx.GraphModule(graph, new)
