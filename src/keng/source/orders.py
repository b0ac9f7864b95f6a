"""A layer of Code: steps of a round that come where they do nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.loops import Act, Round, Step
from keng.source.protocol import MICRO
from keng.source.rounds import Rounds


class Orders(Rounds):
    def clipped_between_rounds(self) -> Iterator[tuple[ast.Call, bool]]:
        """Calls that clip gradients, their norms dropped, behind the last step of a round or before its
        first backward; True where the gradients were cleared since that step."""
        for block in self._blocks_that_train() if "clip_grad" in self.text else ():
            for clip in [] if block.has(Act.OPAQUE) else block.own(Act.CLIP):
                before, after = _beside(clip, block, Act.BACKWARD, Act.STEP)
                between = (before.act, after.act) == (Act.STEP, Act.BACKWARD)
                if between and isinstance(clip.call, ast.Call) and self.result_unused(clip.call):
                    last, _ = _beside(clip, block, Act.STEP, Act.ZERO_GRAD)
                    yield clip.call, last.act is Act.ZERO_GRAD

    def cleared_before_step(self) -> Iterator[tuple[ast.Call, str]]:
        """Calls that clear what a round has gone backward for, with the one optimizer that is then to
        step."""
        for block in self._blocks_that_clear():
            step = block.all(Act.STEP)[0]
            for clear, call, name in self._clearing(block, step):
                before, after = _beside(clear, block, Act.BACKWARD, Act.STEP)
                between = (before.act, after.act) == (Act.BACKWARD, Act.STEP)
                if between and self._always_before(call, step.call):
                    yield call, name

    def cleared_between_steps(self) -> Iterator[tuple[ast.Call, str, str]]:
        """Calls that clear gradients in every round, where the one optimizer steps in every k-th alone:
        with that, and with k."""
        for block in self._blocks_that_clear():
            step, backwards = block.all(Act.STEP)[0], block.own(Act.BACKWARD)
            every = self._every(step.call) if step.via is step.call else None
            if every is None or len(backwards) != 1 or len(block.all(Act.BACKWARD)) != 1:
                continue
            for _, call, name in self._clearing(block, step):
                places = {self.parent[self.statement(n)] for n in (call, backwards[0].call)}
                if places == {self.parent[every[0]]}:
                    yield call, name, every[1]

    def _blocks_that_clear(self) -> Iterator[Round]:
        """Blocks that train by one step of one optimizer, and leave the gradients to it and autograd."""
        for block in self._blocks_that_train() if "zero_grad" in self.calls_by_name else ():
            touched = any(a.attr == "grad" for a in self.below(block.block, ast.Attribute))
            if not touched and not block.has(Act.OPAQUE) and len(block.all(Act.STEP)) == 1:
                yield block

    def _clearing(self, block: Round, step: Step) -> Iterator[tuple[Step, ast.Call, str]]:
        """The `zero_grad()` in a block of what takes a step there, and the name of that."""
        name = _stepped(step)
        for clear in block.own(Act.ZERO_GRAD):
            match clear.call:
                case ast.Call(func=ast.Attribute(value=of, attr="zero_grad")) as call:
                    if name and ast.unparse(of) in (name, *self._models_of(step)):
                        yield clear, call, name

    def _every(self, node: ast.AST) -> tuple[ast.If, str] | None:
        """The `if (i + 1) % k == 0` that a node stands under, or another that ends k rounds, and k."""
        above = self.around(node, ast.If)
        match above:
            case ast.If(
                test=ast.Compare(
                    left=ast.BinOp(left=count, op=ast.Mod(), right=k),
                    ops=[ast.Eq()],
                    comparators=[rest],
                )
            ):
                first = isinstance(rest, ast.Constant) and rest.value == 0
                ends = isinstance(count, ast.BinOp) or not first or MICRO.search(ast.unparse(k))
                if ends and self._arm(node, above) == "body":
                    return above, ast.unparse(k)
        return None


def _beside(one: Step, block: Round, *acts: Act) -> tuple[Step, Step]:
    """The steps of some acts before and behind one, as the rounds go on."""
    steps = [step for step in block.steps if step is one or step.act in acts]
    at = next(n for n, step in enumerate(steps) if step is one)
    return steps[at - 1], steps[(at + 1) % len(steps)]


def _stepped(step: Step) -> str:
    """The optimizer of a step, as text: `optimizer.step()`, `scaler.step(optimizer)`."""
    match step.call:
        case ast.Call(func=ast.Attribute(value=of), args=given):
            return ast.unparse(given[0] if given else of)
    return ""
