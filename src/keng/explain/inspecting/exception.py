"""What only a live exception can tell: the operands of the failing expression, the layer, labels, indices.

torch is never imported: an exception of its making has brought it along. Nothing here computes with
tensors, but for the range of labels and indices, and what values are like, that lie on the CPU.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import FrameType, TracebackType
from typing import Any

from keng.explain.diagnose import by_likely_cause
from keng.explain.failure import Frame
from keng.explain.inspecting.autograd import (
    CHANGED,
    FREED,
    attached_in,
    changed_in,
    reached_in,
    unlearned_in,
)
from keng.explain.inspecting.expression import failing_of
from keng.explain.inspecting.loader import fetched_in
from keng.explain.inspecting.modules import (
    copied_in,
    handed_in,
    hidden_in,
    hooked_in,
    layer_of,
    replicated_in,
    strays_in,
)
from keng.explain.inspecting.operands import nothing_in, operand, operands_of
from keng.explain.inspecting.optimizer_groups import OTHER_GROUPS, entries_in, groups_in
from keng.explain.inspecting.state_dicts import REFUSED, loading_of
from keng.explain.inspecting.values import OF_VALUES, looked_in
from keng.explain.live import Live, Operand
from keng.explain.ownership.paths import is_user
from keng.explain.reading.cleaning import HEAD, as_everywhere, clean
from keng.explain.reading.tracebacks import Error, Link, Report, read, traced
from keng.run.labels import Labels

MOST_CAUSES = 50
MOST_FRAMES = 300
MOST_LABELS = 10_000_000
NO_GRAPH = "does not require grad and does not have a grad_fn"
EMPTY = "empty parameter list"
COPIED = "support the deepcopy protocol"
UNUSED = "did not receive grad"
HOOKED = "of BackwardHookFunction"
LOSSES = ("cross_entropy", "nll_loss")
Question = tuple[tuple[str, ...], Callable[..., Any]]


def report_of(exception: BaseException) -> Report:
    """The exception and those it came of, in the order in which Python prints them."""
    errors: list[Error] = []
    link: Link = ""
    for each, its_link in _chain(exception):
        inner = _inner(each)
        frames = [*frames_of(each), *traced(_message(each))]
        error = Error(_kind(each), _message(each), frames, "worker" if inner else link)
        errors[:0] = [error, *inner]
        link = its_link
    return Report(errors)


def look(exception: BaseException, report: Report) -> Live:
    """Of the frames of the likeliest cause. What cannot be looked at is left out."""
    torch = sys.modules.get("torch")
    cause = by_likely_cause(report.errors)[0]
    found: dict[str, Any] = {}
    for each, _ in _chain(exception) if torch is not None else ():
        tracebacks = list(_tracebacks(each))
        frames = [tb.tb_frame for tb in tracebacks]
        fetched = _or_nothing(fetched_in, frames, torch)
        if fetched is not None:
            found.setdefault("fetched", fetched)
        if _kind(each) == cause.kind and _message(each) == cause.message:
            found |= _answers(OF_TRACEBACKS, cause.message, tracebacks, torch)
            found |= _answers(OF_FRAMES, cause.message, frames, torch)
            found["failing"] = _or_nothing(partial(failing_of, cause.message), tracebacks, torch)
            break
    return Live(**found, caught=True)


def _answers(
    questions: Mapping[str, Question], message: str, places: list[Any], torch: Any
) -> dict[str, Any]:
    """By the names of what they tell."""
    asked = {
        name: ask
        for name, (words, ask) in questions.items()
        if any(word in message for word in words)
    }
    found = {name: _or_nothing(ask, places, torch) for name, ask in asked.items()}
    return {name: answer for name, answer in found.items() if answer is not None}


def _or_nothing(ask: Callable[..., Any], places: list[Any], torch: Any) -> Any:
    try:
        return ask(places, torch)
    except Exception:
        return None


def _chain(exception: BaseException) -> Iterator[tuple[BaseException, Link]]:
    """Each exception, the last raised first, and how the one that it is followed by came of it."""
    seen: set[int] = set()
    at: BaseException | None = exception
    while at is not None and id(at) not in seen and len(seen) < MOST_CAUSES:
        seen.add(id(at))
        in_group: Any = getattr(at, "exceptions", ())
        if at.__cause__ is not None or in_group:
            yield at, "cause"
            at = at.__cause__ or in_group[0]
        else:
            yield at, "context"
            at = None if at.__suppress_context__ else at.__context__


def _kind(exception: BaseException) -> str:
    kind = type(exception)
    home = kind.__module__
    return kind.__qualname__ if home in ("builtins", "__main__") else f"{home}.{kind.__qualname__}"


def _message(exception: BaseException) -> str:
    try:
        return as_everywhere(str(exception))
    except Exception:
        return ""


def _inner(exception: BaseException) -> list[Error]:
    """The errors that a DataLoader's worker or a spawned process has sent as text."""
    message = _message(exception)
    if HEAD not in message:
        return []
    errors = read(clean(message)).errors
    return errors[1:] or errors if "Original Traceback" in message else errors


def _tracebacks(exception: BaseException) -> Iterator[TracebackType]:
    """Outermost first; the two ends of a very deep one."""
    tracebacks = []
    at = exception.__traceback__
    while at is not None:
        tracebacks.append(at)
        at = at.tb_next
    if len(tracebacks) > MOST_FRAMES:
        tracebacks[MOST_FRAMES // 2 : -MOST_FRAMES // 2] = []
    yield from tracebacks


def frames_of(exception: BaseException) -> list[Frame]:
    return [_frame(tb.tb_frame, tb.tb_lineno) for tb in _tracebacks(exception)]


def _frame(frame: FrameType, line: int) -> Frame:
    code = frame.f_code
    text = linecache.getline(code.co_filename, line, frame.f_globals).strip()
    return Frame(code.co_filename, line, code.co_name, text, is_user(code.co_filename))


def _labels(frames: list[FrameType], torch: Any) -> Labels | None:
    """The range of what a loss with class labels was given, where asking for it waits for no device."""
    for frame in reversed(frames):
        code = frame.f_code
        if code.co_name in LOSSES and code.co_filename.endswith("functional.py"):
            scores, target = frame.f_locals["input"], frame.f_locals["target"]
            if not _plain_labels(target, torch):
                return None
            mattering = target != frame.f_locals["ignore_index"]
            kept = target[mattering]
            classes = int(scores.shape[1] if scores.dim() > 1 else scores.shape[0])
            first = _first(mattering & ((target < 0) | (target >= classes)))
            return Labels(int(kept.min()), int(kept.max()), classes, first)
    return None


def _lost(frames: list[FrameType], torch: Any) -> tuple[Operand, ...]:
    """The input and the target of the loss that raised, under its own names for them."""
    for frame in reversed(frames):
        if frame.f_code.co_filename.endswith("functional.py"):
            given = [frame.f_locals.get(name) for name in ("input", "target")]
            if all(isinstance(each, torch.Tensor) for each in given):
                return (operand("input", given[0]), operand("target", given[1]))
    return ()


def _indices(frames: list[FrameType], torch: Any) -> Labels | None:
    """The range of what a look-up in a table of embeddings was given."""
    for frame in reversed(frames):
        code = frame.f_code
        if code.co_name == "embedding" and code.co_filename.endswith("functional.py"):
            given, table = frame.f_locals["input"], frame.f_locals["weight"]
            if not _plain_labels(given, torch):
                return None
            rows = int(table.shape[0])
            first = _first((given < 0) | (given >= rows))
            return Labels(int(given.min()), int(given.max()), rows, first)
    return None


def _first(mask: Any) -> tuple[int, ...]:
    """The place of the first that is true."""
    places = mask.nonzero()
    return tuple(int(n) for n in places[0]) if len(places) else ()


def _plain_labels(target: Any, torch: Any) -> bool:
    plain = type(target) is torch.Tensor and target.device.type == "cpu"
    whole = plain and not target.is_floating_point() and not target.is_complex()
    return whole and 0 < target.numel() <= MOST_LABELS


OF_TRACEBACKS: dict[str, Question] = {
    "operands": (("",), operands_of),
    "loading": ((REFUSED,), loading_of),
    "entries": (("'",), entries_in),
    "looked": (OF_VALUES, looked_in),
    "nothing": (("'NoneType'",), nothing_in),
}
OF_FRAMES: dict[str, Question] = {
    "layer": (("",), layer_of),
    "labels": (("",), _labels),
    "indices": (("",), _indices),
    "lost": (("",), _lost),
    "changed": ((CHANGED,), changed_in),
    "unlearned": ((NO_GRAPH, EMPTY), unlearned_in),
    "reached": ((FREED,), reached_in),
    "attached": ((FREED,), attached_in),
    "copied": ((COPIED,), copied_in),
    "handed": (("tuple",), handed_in),
    "strays": (("dtype", "device", "should be the same"), strays_in),
    "hidden": ((EMPTY,), hidden_in),
    "replicated": ((UNUSED,), replicated_in),
    "hooked": ((HOOKED,), hooked_in),
    "groups": ((OTHER_GROUPS,), groups_in),
}
"""By what of `Live` they tell: one of what the message says where that is worth asking, and who answers."""
