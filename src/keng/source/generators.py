"""Generators of parameters that a second read finds exhausted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import permutations

from keng.model import Edit
from keng.source.calls import Calls
from keng.source.edits import Edits
from keng.source.flow import Flow
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import LOOPS, Tree, names_in
from keng.source.types.infer import Types
from keng.source.types.kinds import Kind

GO_THROUGH = frozenset(
    [
        *(f"builtins.{name}" for name in ("list", "tuple", "set", "sum", "sorted", "max", "min", "dict")),
        *(f"torch.nn.utils.{name}" for name in ("clip_grad_norm_", "clip_grad_value_")),
        "torch.nn.utils.parameters_to_vector",
    ]
)  # fmt: skip
"""What goes through the whole of what it is given, at once."""
Use = tuple[ast.Name, ast.AST]


class Generators:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self.edits = trees.ask(Edits, tree)

    def of(self, tree: Tree) -> Generators:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Generators, tree)

    def exhausted(self) -> Iterator[tuple[ast.Name, ast.expr, ast.AST | None, bool]]:
        """Generators of a model's parameters that are iterated a second time: the name there, what made
        it, what went through it before (nothing for the round before), and whether it is known for one."""
        for call in self.calls.method_calls("parameters", "named_parameters"):
            made = self._generator_with(call)
            kept = self.tree.parent[made]
            target = kept.targets[0] if isinstance(kept, ast.Assign) else None
            kind = self.types.kind_of(self.tree.receiver(call))
            if not isinstance(target, ast.Name) or kind not in (Kind.MODULE, Kind.UNKNOWN):
                continue
            if self.types.definition(call.func) is None and (again := self._iterated_again(target)):
                yield again[0], made, again[1], kind is Kind.MODULE

    def as_list(self, generator: ast.expr) -> Edit:
        """A list in place of a generator."""
        text = self.tree.text_of(generator)
        whole = f"[{text[1:-1]}]" if isinstance(generator, ast.GeneratorExp) else f"list({text})"
        return self.edits.replace(generator, whole)

    def _generator_with(self, call: ast.Call) -> ast.expr:
        """`model.parameters()`, or what is chosen from it one by one."""
        match above := self.tree.parent[call]:
            case ast.Call(func=ast.Name(id="filter"), args=[_, given]) if given is call:
                return above
            case ast.comprehension(iter=given) if given is call:
                every = self.tree.parent[above]
                return every if isinstance(every, ast.GeneratorExp) else call
        return call

    def _iterated_again(self, target: ast.Name) -> tuple[ast.Name, ast.AST | None] | None:
        uses: list[Use] = []
        for name in self.tree.names_by_id[target.id]:
            through = self._iterated_by(name) if isinstance(name.ctx, ast.Load) else None
            if through is not None and [b.node for b in self.flow.reaching_definitions(name)] == [
                target
            ]:
                uses.append((name, through))
        for (first, by), (second, _) in permutations(uses, 2):
            elsewhere = self.tree.enclosing_body(first) is not self.tree.enclosing_body(second)
            later = elsewhere or self.tree.position(first) < self.tree.position(second)
            if later and self.flow.always_before(first, second):
                return second, by
        return next(((n, None) for n, by in uses if self._in_every_round(by, target)), None)

    def _iterated_by(self, name: ast.Name) -> ast.AST | None:
        """What goes through all that a name holds, where it is read."""
        above: ast.AST | None = self.tree.parent[name]
        match above:
            case ast.For(iter=given) if given is name:
                return None if self.tree.descendants(above, ast.Break, ast.Return) else above
            case ast.comprehension(iter=given) if given is name:
                return self._whole_comprehension(self.tree.parent[above])
            case ast.Dict():
                above = self.tree.enclosing(above, ast.Call)
            case ast.keyword():
                above = self.tree.parent[above]
        if not isinstance(above, ast.Call) or above.func is name:
            return None
        taken = self.names.resolve(above.func) in GO_THROUGH or self._is_optimizer_of_torch(above)
        return above if taken else None

    def _whole_comprehension(self, every: ast.AST) -> ast.AST | None:
        """A comprehension that is iterated where it stands."""
        taker = self.tree.parent[every]
        if not isinstance(every, ast.GeneratorExp):
            return every
        whole = isinstance(taker, ast.Call) and self.names.resolve(taker.func) in GO_THROUGH
        return taker if whole else None

    def _is_optimizer_of_torch(self, call: ast.Call) -> bool:
        made = self.names.resolve(call.func).startswith("torch.optim.")
        return made and self.types.kind_of(call) is Kind.OPTIMIZER

    def _in_every_round(self, use: ast.AST, target: ast.Name) -> bool:
        """Whether a loop that the name was not given its value in comes by a use again."""
        loop = self.tree.enclosing(use, *LOOPS)
        if (
            loop is None
            or self.tree.within(target, loop)
            or self.flow.field_of(use, loop) != "body"
        ):
            return False
        statement, inner = self.tree.statement(use), set(self.tree.ancestors(use))
        asked = [a.test for a in inner if isinstance(a, ast.If) and self.tree.within(a, loop)]
        ends = self.flow.siblings(statement, self.tree.parent[statement])[1]
        once = any(isinstance(each, (ast.Break, ast.Return)) for each in ends)
        return not once and not any(names_in(test) & self.tree.bound_in(loop) for test in asked)
