"""A layer of Code: what is used up, and values that are read as something else than they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import permutations

from keng.model import Edit
from keng.source.habits import Habits
from keng.source.index import LOOPS, bound_in, names_in
from keng.source.values import Kind, Value

OF_SCORES = [
    f"torch.nn.{name}"
    for name in (
        *("CrossEntropyLoss", "functional.cross_entropy", "NLLLoss", "functional.nll_loss"),
        *("BCEWithLogitsLoss", "functional.binary_cross_entropy_with_logits"),
    )
]
LOG_SOFTMAX = frozenset(
    ["torch.log_softmax", "torch.nn.functional.log_softmax", "torch.Tensor.log_softmax"]
)
GO_THROUGH = frozenset(
    [
        *(f"builtins.{name}" for name in ("list", "tuple", "set", "sum", "sorted", "max", "min", "dict")),
        *(f"torch.nn.utils.{name}" for name in ("clip_grad_norm_", "clip_grad_value_")),
        "torch.nn.utils.parameters_to_vector",
    ]
)  # fmt: skip
"""What goes through the whole of what it is given, at once."""
Use = tuple[ast.Name, ast.AST]


class Slips(Habits):
    def used_up(self) -> Iterator[tuple[ast.Name, ast.expr, ast.AST | None, bool]]:
        """Generators of a model's parameters that are gone through a second time: the name there, what made
        it, what went through it before (nothing for the round before), and whether it is known for one."""
        for call in self.method_calls("parameters", "named_parameters"):
            made = self._generator_with(call)
            kept = self.parent[made]
            target = kept.targets[0] if isinstance(kept, ast.Assign) else None
            kind = self.kind_of(self.me.receiver(call))
            if not isinstance(target, ast.Name) or kind not in (Kind.MODULE, Kind.UNKNOWN):
                continue
            if self.definition(call.func) is None and (again := self._gone_through_again(target)):
                yield again[0], made, again[1], kind is Kind.MODULE

    def as_list(self, generator: ast.expr) -> Edit:
        """A list in place of a generator."""
        text = self.text_of(generator)
        whole = f"[{text[1:-1]}]" if isinstance(generator, ast.GeneratorExp) else f"list({text})"
        return self.me.replace(generator, whole)

    def _generator_with(self, call: ast.Call) -> ast.expr:
        """`model.parameters()`, or what is chosen from it one by one."""
        match above := self.parent[call]:
            case ast.Call(func=ast.Name(id="filter"), args=[_, given]) if given is call:
                return above
            case ast.comprehension(iter=given) if given is call:
                every = self.parent[above]
                return every if isinstance(every, ast.GeneratorExp) else call
        return call

    def _gone_through_again(self, target: ast.Name) -> tuple[ast.Name, ast.AST | None] | None:
        uses: list[Use] = []
        for name in self._names_by_id[target.id]:
            through = self._gone_through_by(name) if isinstance(name.ctx, ast.Load) else None
            if through is not None and [b.node for b in self.reaching(name)] == [target]:
                uses.append((name, through))
        for (first, by), (second, _) in permutations(uses, 2):
            elsewhere = self.body_around(first) is not self.body_around(second)
            later = elsewhere or self.position(first) < self.position(second)
            if later and self._always_before(first, second):
                return second, by
        return next(((n, None) for n, by in uses if self._in_every_round(by, target)), None)

    def _gone_through_by(self, name: ast.Name) -> ast.AST | None:
        """What goes through all that a name holds, where it is read."""
        above: ast.AST | None = self.parent[name]
        match above:
            case ast.For(iter=given) if given is name:
                return None if self.below(above, ast.Break, ast.Return) else above
            case ast.comprehension(iter=given) if given is name:
                return self._whole_comprehension(self.parent[above])
            case ast.Dict():
                above = self.around(above, ast.Call)
            case ast.keyword():
                above = self.parent[above]
        if not isinstance(above, ast.Call) or above.func is name:
            return None
        taken = self.resolve(above.func) in GO_THROUGH or self._is_optimizer_of_torch(above)
        return above if taken else None

    def _whole_comprehension(self, every: ast.AST) -> ast.AST | None:
        """A comprehension that is gone through where it stands."""
        taker = self.parent[every]
        if not isinstance(every, ast.GeneratorExp):
            return every
        whole = isinstance(taker, ast.Call) and self.resolve(taker.func) in GO_THROUGH
        return taker if whole else None

    def _is_optimizer_of_torch(self, call: ast.Call) -> bool:
        made = self.resolve(call.func).startswith("torch.optim.")
        return made and self.kind_of(call) is Kind.OPTIMIZER

    def _in_every_round(self, use: ast.AST, target: ast.Name) -> bool:
        """Whether a loop that the name was not given its value in comes by a use again."""
        loop = self.around(use, *LOOPS)
        if loop is None or self.within(target, loop) or self._arm(use, loop) != "body":
            return False
        statement, inner = self.statement(use), set(self.ancestors(use))
        asked = [a.test for a in inner if isinstance(a, ast.If) and self.within(a, loop)]
        ends = self.beside(statement, self.parent[statement])[1]
        once = any(isinstance(each, (ast.Break, ast.Return)) for each in ends)
        return not once and not any(names_in(test) & bound_in(loop) for test in asked)

    def scores_last_through(
        self, names: frozenset[str]
    ) -> Iterator[tuple[ast.Call, ast.expr, str]]:
        """Cross-entropies of scores that on every way went through one of these last, or last before their
        log-softmax: the call, the scores, and its short name."""
        if not self._says_last_of(names):
            return
        for call in self.me.loss_calls(*OF_SCORES):
            given = self.argument(call, "input", 0)
            ways = [o for origin in self.origins(given) for o in self._before_logarithm(origin)]
            if given is not None and all(way.dotted in names for way in ways):
                yield call, given, ways[0].dotted.rpartition(".")[2]

    def _says_last_of(self, names: frozenset[str]) -> bool:
        lasts = {name.rpartition(".")[2].encode() for name in names}
        return any(self.project.says(last, self.path) for last in lasts)

    def _before_logarithm(self, origin: Value) -> list[Value]:
        call = origin.call
        if origin.dotted not in LOG_SOFTMAX or call not in self.parent:
            return [origin]
        method = origin.dotted.startswith("torch.Tensor.")
        return self.origins(self.me.receiver(call) if method else self.argument(call, "input", 0))
