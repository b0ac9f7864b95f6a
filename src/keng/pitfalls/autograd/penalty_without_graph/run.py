"""A running program: a penalty on gradients is computed without their graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from keng.model import Span, say
from keng.pitfalls.autograd.penalty_without_graph._shared import only_a_number
from keng.run.events import AutogradGrad, Backward
from keng.run.frames import user_frames
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import code_of

if TYPE_CHECKING:
    from keng.source.code import Code

Assigned = ast.Assign | ast.AugAssign
TIMES = 8
SUMS = ("AddBackward", "SubBackward")


class Running(NamedTuple):
    """A function of the user's that was under way, at a line, and what it had called."""

    code: Any
    line: int
    called: str


class GraphlessTerms(Recorder):
    """`autograd.grad` without `create_graph` returns plain numbers. They are reported where a function
    that was running then adds them to the loss of the next backward: the graph of the loss has nothing
    for that term."""

    dormant = (Backward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.times = 0
        self.running: list[Running] = []
        self.place: Span | None = None

    def autograd_grad(self, event: AutogradGrad) -> None:
        self.times += 1
        self.running, called = [], "grad"
        for frame in user_frames():
            self.running.append(Running(frame.f_code, frame.f_lineno, called))
            called = frame.f_code.co_name
        if self.running:
            self.place = Span(self.running[0].code.co_filename, self.running[0].line)
            self.listen(Backward)
        if self.times == TIMES:
            self.ignore(AutogradGrad)

    def backward(self, event: Backward) -> None:
        self.ignore(Backward)
        frame = next(user_frames(), None)
        running = next((r for r in self.running if frame and r.code is frame.f_code), None)
        if frame is None or running is None or not event.accumulates:
            return
        names = (name for name, value in frame.f_locals.items() if value is event.outputs[0])
        with unwatched():
            loss = next(names, "")
            code = code_of(frame) if loss else None
            if code is not None:
                self._look(code, frame.f_lineno, running, loss, event.outputs[0].grad_fn)

    def _look(self, code: Code, line: int, running: Running, loss: str, node: Any) -> None:
        assigned = _assignments(code, code.tree.body_at(line))
        made = _tainted(assigned, running)
        for term in _constant_terms(_sum_of(assigned, loss, line), node):
            inner = list(ast.walk(term))
            if any(isinstance(n, ast.Name) and n.id in made for n in inner) or any(
                _is_call(n, running) for n in inner
            ):
                says = say("only-a-number", **only_a_number(ast.unparse(term), loss))
                self.report(says, where=self.place)
                return


def _is_call(node: ast.AST, running: Running) -> bool:
    """Whether it is the call that was under way."""
    if not isinstance(node, ast.Call) or not (
        node.lineno <= running.line <= (node.end_lineno or node.lineno)
    ):
        return False
    return running.called in (getattr(node.func, "attr", ""), getattr(node.func, "id", ""))


def _assignments(code: Code, body: ast.AST) -> list[Assigned]:
    found: list[Assigned] = [*code.below(body, ast.Assign), *code.below(body, ast.AugAssign)]
    return sorted(found, key=lambda node: node.lineno)


def _tainted(assigned: list[Assigned], running: Running) -> set[str]:
    """The variables that hold what the call gave, or what was computed of it after."""
    names: set[str] = set()
    for each in assigned:
        inner = list(ast.walk(each.value))
        read = {n.id for n in inner if isinstance(n, ast.Name)}
        if names & read or any(_is_call(n, running) for n in inner):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return names


def _sum_of(assigned: list[Assigned], loss: str, line: int) -> ast.AST | None:
    """What a variable was last set to before a line."""
    found: ast.AST | None = None
    for each in assigned:
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target
        if each.lineno < line and isinstance(target, ast.Name) and target.id == loss:
            found = each.value
            if isinstance(each, ast.AugAssign):
                found = ast.BinOp(target, each.op, each.value)
    return found


def _constant_terms(written: ast.AST | None, node: Any) -> Iterator[ast.AST]:
    """The terms of a sum that its graph has nothing for."""
    if written is None or node is None:
        if written is not None:
            yield written
        return
    if not isinstance(written, ast.BinOp) or not isinstance(written.op, (ast.Add, ast.Sub)):
        return
    sides = node.next_functions
    if node.name().startswith(SUMS) and len(sides) == 2:
        yield from _constant_terms(written.left, sides[0][0])
        yield from _constant_terms(written.right, sides[1][0])
