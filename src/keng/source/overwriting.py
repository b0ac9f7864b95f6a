"""A layer of Code: losses that a loop was to add up, and of which only the last is left."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.forcing import Forcing
from keng.source.graphs import DETACHES
from keng.source.index import FUNCTIONS, LOOPS, names_in
from keng.source.loops import BACKWARD, Act

ENDS_EARLY = (ast.Break, ast.Return)
STEPS_ITSELF = BACKWARD | {"grad", "step"}
ZEROS = ("torch.zeros", "torch.tensor")


class Overwriting(Forcing):
    def losses_overwritten(self) -> Iterator[tuple[ast.Assign, str, ast.For, bool]]:
        """Losses that each round of a loop sets anew, and that are read behind it only: the assignment, the
        name, the loop, and whether the name was zero before it, to be added to."""
        lost = [name for call in self.method_calls(*BACKWARD) for name in self.lost(call)]
        names = {name.id for name in lost}
        for loop in self.of(ast.For):
            stored = [n for n in self.below(loop, ast.Assign) if _stores_loss(n, names)]
            if not stored or self.below(loop, *ENDS_EARLY) or self._steps_itself(loop):
                continue
            for kept in stored:
                target = kept.targets[0]
                nearest = self.around(kept, ast.If, ast.Try, ast.Match, *LOOPS, *FUNCTIONS)
                if not isinstance(target, ast.Name) or nearest is not loop:
                    continue
                zero = self._zero_before(target, loop)
                if self._left_over(target, loop, lost, zero) and self._is_of_round(kept, loop):
                    yield kept, target.id, loop, zero

    def _steps_itself(self, loop: ast.For) -> bool:
        return any(self.written_name(c.func) in STEPS_ITSELF for c in self.below(loop, ast.Call))

    def _zero_before(self, target: ast.Name, loop: ast.For) -> bool:
        """Whether a name was set to zero in front of the loop that sets it."""
        found = [b for b in self.bindings(target) if not self.within(b.node, loop)]
        values = [
            b.value
            for b in found
            if b.how == "assign" and self.position(b.node) < self.position(loop)
        ]
        return bool(values) and self._is_zero(values[-1])

    def _is_zero(self, value: ast.expr | None) -> bool:
        match value:
            case ast.Constant(value=int() | float() as number):
                return number == 0 and number is not False
            case ast.Call(func=ast.Attribute(attr="new_zeros")):
                return True
            case ast.Call(args=given) if self.resolve(value.func) in ZEROS:
                whole = self.resolve(value.func) == ZEROS[0]
                return whole or (bool(given) and self._is_zero(given[0]))
        return False

    def _left_over(self, target: ast.Name, loop: ast.For, lost: list[ast.Name], zero: bool) -> bool:
        """Whether what the last round gave a name is gone backward on behind the loop, or is read there as
        the sum that it was to be; and whether no round took up its own."""
        reads = [n for n in self._names_by_id[target.id] if isinstance(n.ctx, ast.Load)]
        reads = [n for n in reads if any(b.node is target for b in self.reaching(n))]
        inside = [n for n in reads if self.within(n, loop)]
        behind = [n for n in reads if n not in inside and self.position(n) > self.position(loop)]
        if any(name in lost for name in behind):
            return all(map(self._is_only_shown, inside))
        return zero and "loss" in target.id.lower() and bool(behind) and not inside

    def _is_only_shown(self, name: ast.Name) -> bool:
        above = self.parent[name]
        return isinstance(above, ast.FormattedValue) or (
            isinstance(above, ast.Attribute) and above.attr in DETACHES
        )

    def _is_of_round(self, kept: ast.Assign, loop: ast.For) -> bool:
        """Whether a value is a loss of what the loop goes through, and owes nothing to the round before."""
        found, computed = set[str](), [kept.value]
        for value in computed:
            for name in [n for n in ast.walk(value) if isinstance(n, ast.Name)]:
                if self._is_carried(name, loop):
                    return False
                found.add(name.id)
                made = [b.value for b in self.reaching(name) if b.how == "assign"]
                computed += [v for v in made if v and self.within(v, loop) and v not in computed]
        calls = [c for value in computed for c in ast.walk(value) if isinstance(c, ast.Call)]
        of_round = bool(found & names_in(loop.target))
        return of_round and any(self.act_of(call) is Act.LOSS for call in calls)

    def _is_carried(self, name: ast.Name, loop: ast.For) -> bool:
        """Whether a round of a loop may read under a name what the round before left there."""
        inside = [b for b in self.bindings(name) if self.within(b.node, loop)]
        later = [b for b in inside if b.how == "augment" or self._effect(b) >= self.position(name)]
        return bool(later) and any(b not in inside for b in self.reaching(name))


def _stores_loss(assigned: ast.Assign, lost: set[str]) -> bool:
    """Whether a name is set that is gone backward on, or is called a loss."""
    name = getattr(assigned.targets[0], "id", "")
    return len(assigned.targets) == 1 and (name in lost or "loss" in name.lower())
