"""Where a value that is not finite came from: from the batch, the weights, an operation of the model,
the loss function, or the user's own arithmetic between model and loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from torch import Tensor

from keng.model import Message, say
from keng.run.frames import here, name_of, user_frames
from keng.run.graph.holders import saved_tensors
from keng.run.graph.math_domains import Edge, edges_of
from keng.run.graph.nonfinite import Origin, first_bad, is_finite, over_nothing
from keng.run.operation_lines import last_set, line_of
from keng.run.replay.forward import Call, batch_of, replayed
from keng.run.state import MARK, RunState, tensors_in

GROWN = 1e4
NODES = 5_000


def loss_origin(
    run: RunState,
    calls: list[Call],
    outputs: list[Tensor],
    function: str,
    args: Any,
    history: list[float],
) -> Origin:
    """Of a loss that is not finite. What is certain comes first."""
    for look in (_of_weights, _of_data, _of_model):
        for call in calls:
            origin = look(run, call)
            if origin is not None:
                slope = backward_origin(outputs) if origin.cause == "weights" else None
                return _grown(slope if slope and slope.cause else origin, history)
    origin = _of_loss(function, args) if function else _of_graph(outputs) or _of_constant(outputs)
    return _grown(origin or Origin(""), history)


def backward_origin(outputs: list[Tensor]) -> Origin:
    """Of gradients that are not finite although the loss was: a function whose slope is infinite at a
    value that it takes. The graph's values are gone; its operations are still named."""
    steep = {name for node in _nodes(outputs, whole=True) if (name := _plain(node)) in STEEP}
    steep -= {"pow"} if not any(_is_root(node) for node in _nodes(outputs, whole=True)) else set()
    if len(steep) == 1:
        name = steep.pop()
        return Origin("domain", STEEP[name], name, where=line_of(name))
    some = say("slopes-may-be-infinite", operations=", ".join(sorted(steep)))
    return Origin("", some if steep else None)


STEEP = {
    "sqrt": say("slope-at-zero-infinite"),
    "pow": say("slope-of-power-infinite"),
    "acos": say("slope-at-one-infinite", function="acos"),
    "asin": say("slope-at-one-infinite", function="asin"),
}


def _is_root(node: Any) -> bool:
    exponent = getattr(node, "_saved_exponent", None)
    return isinstance(exponent, (int, float)) and 0 < exponent < 1


def _of_weights(run: RunState, call: Call) -> Origin | None:
    for path, parameter in call.module.named_parameters():
        if not is_finite(parameter):
            name = f"{run.module_name(call.module)}.{path}"
            return Origin("weights", say("weights-not-finite", name=name), module=name)
    return None


def _of_data(run: RunState, call: Call) -> Origin | None:
    for tensor in tensors_in((call.args, call.kwargs)):
        if tensor.grad_fn is None and not is_finite(tensor):
            sample = first_bad(~tensor.isfinite(), batch_of(call))
            return Origin("data", _values_in(tensor), sample=sample)
    return None


def _of_model(run: RunState, call: Call) -> Origin | None:
    if not call.untouched():
        return None
    try:
        return replayed(call, run.module_name(call.module))
    except Exception:
        # A forward that cannot be run twice, or a module that cannot be copied: not known.
        return None


def _of_loss(function: str, args: Any) -> Origin | None:
    """A loss function whose input was finite: its target, or its own arithmetic."""
    tensors = [a for a in args if not isinstance(a, (int, float, str, bool)) and a is not None]
    source, target = tensors[0], tensors[1]
    batch = int(source.shape[0]) if source.dim() else None
    for tensor in (target, source):
        if not is_finite(tensor):
            bad = ~tensor.isfinite()
            counts = {"n": int(bad.sum()), "total": tensor.numel()}
            cause, unnamed = "", say("loss-input-values-not-finite", **counts)
            if tensor is target:
                cause, unnamed = "data", say("target-values-not-finite", **counts)
            name = name_of(tensor)
            detail = say("values-not-finite", name=name, **counts) if name else unnamed
            return Origin(cause, detail, function, sample=first_bad(bad, batch), where=here())
    if function in ("cross_entropy", "nll_loss") and not target.is_floating_point():
        nothing = over_nothing(function, target, args[4])
        if nothing is not None:
            return nothing._replace(where=here())
    largest = float(source.abs().max()) if source.numel() else 0.0
    if not source.numel():
        return Origin("data", say("batch-is-empty"), function, where=here())
    cause = "exploded" if largest > GROWN else ""
    detail = say("loss-input-large", largest=f"{largest:.3g}")
    return Origin(cause, detail, function, where=here())


def _of_graph(outputs: list[Tensor]) -> Origin | None:
    """The user's own arithmetic between model and loss, from the values that its graph has saved. The
    operation nearest to the model is where it began."""
    found: Origin | None = None
    for node in _nodes(outputs):
        name = _plain(node)
        for edge in edges_of(name, getattr(node, "_saved_exponent", None)):
            origin = _at_edge(node, name, edge)
            found = origin or found
    return found._replace(where=line_of(found.operation)) if found else None


def _of_constant(outputs: list[Tensor]) -> Origin | None:
    """A variable of the running function that is not finite, has no graph and is a part of this one: a
    weight of the loss, an advantage that was normalized over a single value."""
    parts = {
        saved.data_ptr()
        for node in _nodes(outputs)
        for saved in saved_tensors(node)
        if not is_finite(saved)
    }
    frame = next(user_frames(), None)
    for name, value in frame.f_locals.items() if frame is not None and parts else ():
        if isinstance(value, Tensor) and value.grad_fn is None and value.data_ptr() in parts:
            bad = ~value.isfinite()
            counts = {"n": int(bad.sum()), "total": value.numel()}
            detail = say("values-not-finite", name=name, **counts)
            return Origin("data", detail, where=last_set(name))
    return None


def _at_edge(node: Any, name: str, edge: Edge) -> Origin | None:
    try:
        saved = getattr(node, edge.saved, None) if edge.saved else None
    except RuntimeError:  # freed
        return None
    if saved is None:
        return None
    if edge.saved == "_saved_result":
        if is_finite(saved):
            return None
        return Origin("domain", edge.says(0), name, sample=_row(~saved.isfinite()))
    outside = edge.outside(saved)
    if not bool(outside.any()):
        return None
    value = float(saved[outside].flatten()[0])
    return Origin(edge.cause, edge.says(value), name, sample=_row(outside))


def _row(bad: Tensor) -> int | None:
    return int(bad.nonzero()[0][0]) if bad.dim() else None


def _nodes(outputs: list[Tensor], whole: bool = False) -> Iterator[Any]:
    """Nodes of the graph from the loss to the model, whose own graph is marked; or the whole of it."""
    waiting: deque[Any] = deque(t.grad_fn for t in outputs if t.grad_fn is not None)
    seen: set[Any] = set()
    while waiting and len(seen) < NODES:
        node = waiting.popleft()
        if node in seen:
            continue
        seen.add(node)
        yield node
        mark = node.metadata.get(MARK)
        if whole or mark is None or not mark.output:
            waiting.extend(after for after, _ in node.next_functions if after is not None)


def _plain(node: Any) -> str:
    """`LogBackward0` is `log`; `LinalgVectorNormBackward0` is `linalg_vector_norm`."""
    stem = str(node.name()).partition("Backward")[0]
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(stem))


def _grown(origin: Origin, history: list[float]) -> Origin:
    """With the losses before: growing ones tell that training has diverged."""
    if origin.cause not in ("", "exploded", "weights", "overflow") or len(history) < 3:
        return origin
    first, last = abs(history[0]), abs(history[-1])
    if last <= max(GROWN * max(first, 1e-6), 1e6):
        return origin
    grown = {"first": f"{first:.3g}", "last": f"{last:.3g}", "steps": len(history)}
    more = say("loss-grew-and", why=origin.detail, **grown)
    detail = more if origin.detail else say("loss-grew", **grown)
    return origin._replace(cause="exploded", detail=detail)


def _values_in(tensor: Tensor) -> Message:
    """How many values of a tensor of the batch are not finite."""
    counts = {"n": int((~tensor.isfinite()).sum()), "total": tensor.numel()}
    name, nan = name_of(tensor), bool(tensor.isnan().any())
    if name:
        infinite = say("values-are-infinite", name=name, **counts)
        return say("values-are-nan", name=name, **counts) if nan else infinite
    return (
        say("input-values-are-nan", **counts) if nan else say("input-values-are-infinite", **counts)
    )
