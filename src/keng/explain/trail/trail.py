"""From a live exception to the shapes along the way."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from keng.explain.live import LiveError
from keng.explain.reasons.evaluation import is_a
from keng.explain.reasons.levels import of_traceback
from keng.explain.reasons.source import Sources
from keng.explain.trail.deadline import Deadline
from keng.explain.trail.entries import Entry, entries_of
from keng.explain.trail.interpreter import Interpreter
from keng.explain.trail.sizes import marked, pair_of
from keng.explain.trail.steps import Activation, Failed, Step, Stopped, Unknown
from keng.model import ShapeStep, ShapeTrail, Span

MOST_STEPS = 60
MULTIPLES = (2, 4, 8, 16, 32, 64)


def trail_of(error: LiveError) -> ShapeTrail | None:
    """The shapes from the inputs of the outermost module, or of the failing function, to the operands that
    failed; None where the function cannot be followed."""
    message, tracebacks, torch = error
    # In another thread a recorder may still be watching.
    if not tracebacks or threading.current_thread() is not threading.main_thread():
        return None
    levels = of_traceback(tracebacks[0], Sources())
    frames = [level.live for level in levels if level.live is not None]
    if len(frames) != len(levels):
        return None
    lines = [level.line for level in levels]
    torch.relu(torch.empty(1, device="meta"))  # what the first operation imports takes seconds
    deadline = Deadline()
    for entry in entries_of(levels, torch):
        if deadline.is_over():
            return None
        failed = _run(Interpreter(torch, frames, lines, Sources(), deadline), entry)
        if failed is not None and _agrees(failed.activations, frames, torch):
            trail = _trail(failed, message)
            if pair_of(failed, message) is None:
                return trail
            return trail._replace(passes=_passing(torch, frames, lines, entry, deadline))
    return None


def _passing(
    torch: Any, frames: Sequence[Any], lines: Sequence[int], entry: Entry, deadline: Deadline
) -> tuple[tuple[str, str], ...]:
    """Maps whose sides are the next multiples of a power of two, if the function runs through with them."""
    maps = {n: v for n, v in entry.given.items() if is_a(v, torch.Tensor) and v.ndim in (4, 5)}
    for multiple in MULTIPLES if maps else ():
        resized = {name: _rounded(value, multiple, torch) for name, value in maps.items()}
        if all(tuple(v.shape) == tuple(maps[n].shape) for n, v in resized.items()):
            continue
        if deadline.is_over():
            break
        tried = entry._replace(given={**entry.given, **resized})
        try:
            if _runs_through(Interpreter(torch, frames, lines, Sources(), deadline), tried):
                return tuple((name, shape_of(value)) for name, value in resized.items())
        except Stopped:  # a larger multiple is not the smallest that passes
            return ()
    return ()


def _rounded(tensor: Any, multiple: int, torch: Any) -> Any:
    """A tensor like it whose sides are the next multiples."""
    sides = [-(-int(n) // multiple) * multiple for n in tensor.shape[2:]]
    return torch.empty(*tensor.shape[:2], *sides, dtype=tensor.dtype, device="meta")


def _runs_through(interpreter: Interpreter, entry: Entry) -> bool:
    """Raises Stopped."""
    try:
        interpreter.enter(entry.level, entry.frame.f_code, entry.names, entry.given)
    except (Failed, Unknown):
        return False
    return True


def _run(interpreter: Interpreter, entry: Entry) -> Failed | None:
    try:
        interpreter.enter(entry.level, entry.frame.f_code, entry.names, entry.given)
    except Failed as failed:
        return failed
    except (Stopped, Unknown):
        pass
    return None


def _agrees(activations: Iterable[Activation], frames: Sequence[Any], torch: Any) -> bool:
    """Whether all names have the shapes in the live frames that they have here."""
    for each in activations:
        held = frames[each.level].f_locals
        for name, value in dict(each.bound).items():
            alive = held.get(name)
            if is_a(alive, torch.Tensor) and tuple(alive.shape) != tuple(value.shape):
                return False
    return True


def _trail(failed: Failed, message: str) -> ShapeTrail:
    outermost, innermost = failed.activations[-1], failed.activations[0]
    steps = [step for each in reversed(failed.activations) for step in each.steps]
    kept = slice_of(steps, failed.operands)
    lines = _by_statement(kept)
    given = tuple((name, shape_of(value)) for name, value in outermost.given.items())
    failing = ShapeStep(
        Span(innermost.path, failed.node.lineno),
        ((failed.name, ""),),
    )
    operands = tuple(shape_of(each) for each in failed.operands)
    texts = _sides(failed.node) if len(operands) == 2 else ()
    trail = ShapeTrail(
        *(outermost.name, outermost.path, given, tuple(lines), failing, operands), texts=texts
    )
    return marked(trail, kept, failed, message)


def _sides(node: ast.expr) -> tuple[str, ...]:
    """The two sides of an operator as they are written."""
    if not isinstance(node, ast.BinOp):
        return ()
    return ast.unparse(node.left), ast.unparse(node.right)


def slice_of(steps: Sequence[Step], operands: Iterable[Any]) -> list[Step]:
    """The steps that the operands were made by, first to last."""
    wanted = {id(each) for each in operands}
    kept: list[Step] = []
    for step in reversed(steps):
        if any(id(each) in wanted for each in step.outputs):
            wanted |= {id(each) for each in step.inputs}
            kept.append(step)
    return kept[::-1]


def _by_statement(steps: Sequence[Step]) -> list[ShapeStep]:
    """One for each statement: the operations that changed a shape, and the last one."""
    groups: list[list[Step]] = []
    for step in steps:
        if groups and groups[-1][-1].statement is step.statement:
            groups[-1].append(step)
        else:
            groups.append([step])
    lines = []
    for group in groups:
        made = [(s.name, shape_of(s.outputs[0])) for s in group if _changes(s)]
        if made:
            lines.append(ShapeStep(Span(group[0].path, group[0].node.lineno), tuple(made)))
    return lines[-MOST_STEPS:]


def _changes(step: Step) -> bool:
    """Whether the output has another shape than every input."""
    came = {tuple(each.shape) for each in step.inputs}
    return any(tuple(each.shape) not in came for each in step.outputs)


def shape_of(tensor: Any) -> str:
    return str(tuple(int(size) for size in tensor.shape))
