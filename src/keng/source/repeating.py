"""A layer of Code: what is taken for several and is one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.loops import Act
from keng.source.policies import Policies
from keng.source.values import Kind

CHAINS = ("torch.nn.ModuleList", "torch.nn.Sequential")
ON_PURPOSE = re.compile(
    r"shar(?:e|ed|es|ing)(?:_|\b)|(?:\b|_)(?:un)?tied?(?:_|\b)|tying|albert|universal|recurren|reus|\bsame\b|unroll",
    re.IGNORECASE,
)
FOLDS = re.compile(
    r"sklearn\.model_selection\.(?:\w+\.)?\w*(?:KFold|ShuffleSplit|LeaveOneOut|GroupOut)$"
)
BEGINS_ANEW = re.compile(
    r"reset|init|load_state|restore|clone|copy|fresh|build|make|create|new_", re.IGNORECASE
)


class Repeating(Policies):
    def folds_of_one_model(self) -> Iterator[tuple[ast.Name, ast.For]]:
        """Models that are made before a loop over folds and trained in it, from fold to fold: the first place
        where the loop trains one, and the loop."""
        for loop in self.loops if self.project.says(b"sklearn", self.path) else ():
            folds = loop.through
            while isinstance(folds, ast.Call) and self.written_name(folds.func) != "split":
                folds = folds.args[0] if folds.args else None
            if not isinstance(loop.node, ast.For) or not self._are_folds(folds) or not loop.trains:
                continue
            calls = [self.text_of(call.func) for call in self.below(loop.node, ast.Call)]
            if self.below(loop.node, ast.Break) or any(map(BEGINS_ANEW.search, calls)):
                continue
            vias = [step.via for step in loop.all(Act.FORWARD)]
            names = [n for via in vias for n in ast.walk(via) if isinstance(n, ast.Name)]
            kept = [n for n in names if self._is_trained_outside(n, loop.node)]
            yield from ((name, loop.node) for name in kept[:1])

    def _are_folds(self, split: ast.expr | None) -> bool:
        owner = (
            split.func.value
            if isinstance(split, ast.Call) and isinstance(split.func, ast.Attribute)
            else None
        )
        made = self.assigned(owner) or owner
        return isinstance(made, ast.Call) and FOLDS.match(self.resolve(made.func)) is not None

    def _is_trained_outside(self, name: ast.Name, loop: ast.For) -> bool:
        """Whether a name is that of a model made before a loop, whose parameters an optimizer is given."""
        found = self.reaching(name)
        here = any(self.within(b.node, loop) for b in self.bindings(name))
        if here or self.kind_of(name) is not Kind.MODULE or any(b.how != "assign" for b in found):
            return False
        taken = [
            c
            for c in self.method_calls("parameters")
            if self.text_of(self.me.receiver(c)) == name.id
        ]
        return any(
            isinstance(above := self.parent[call], ast.Call)
            and self.kind_of(above) is Kind.OPTIMIZER
            for call in taken
        )

    def layers_repeated(self) -> Iterator[tuple[ast.BinOp, ast.Call, ast.expr, str, str]]:
        """`[Block()] * n` of which a ModuleList or Sequential is made: the product, what makes the layer,
        the number, the name of the container, and a comprehension in place of the product, where each layer
        is made in the list."""
        for product in self.of(ast.BinOp):
            listed, number = product.left, product.right
            if isinstance(number, ast.List):
                listed, number = number, listed
            if not isinstance(listed, ast.List) or not isinstance(product.op, ast.Mult):
                continue
            made = [(each, self.assigned(each) or each) for each in listed.elts]
            learn = [(each, call) for each, call in made if self.has_parameters(call)]
            chain = self._chained(product) if learn and not self.is_constant(number, 1) else ""
            if chain and not self._shared_on_purpose(product):
                call = learn[0][1]
                assert isinstance(call, ast.Call), "what has parameters is made by a call"
                inside = all(isinstance(each, ast.Call) for each in listed.elts)
                yield product, call, number, chain, self._made_each(listed, number) * inside

    def _made_each(self, listed: ast.List, number: ast.expr) -> str:
        """A comprehension that makes what a list holds a number of times."""
        texts, times = [self.text_of(each) for each in listed.elts], self.text_of(number)
        if len(texts) == 1:
            return f"[{texts[0]} for _ in range({times})]"
        return f"[layer for _ in range({times}) for layer in ({', '.join(texts)})]"

    def _chained(self, listed: ast.expr) -> str:
        """The container of layers that is made of a list, as it is written; "" where none is."""
        above = self.parent[listed]
        while isinstance(above, (ast.Starred, ast.List)) or (
            isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add)
        ):
            listed, above = above, self.parent[above]
        match above:
            case ast.Call(func=called) if self.resolve(called) in CHAINS:
                return self.text_of(called)
            case ast.Assign(targets=[ast.Name() as kept]):
                uses = [n for n in self._names_by_id[kept.id] if isinstance(n.ctx, ast.Load)]
                given = [n for n in uses if self.assigned(n) is listed]
                return next(filter(None, map(self._chained, given)), "")
        return ""

    def _shared_on_purpose(self, product: ast.BinOp) -> bool:
        """Whether the words around a list of layers say that all are meant to be one."""
        statement, owner = self.statement(product), self.class_around(product)
        lines = range(max(statement.lineno - 2, 1), (statement.end_lineno or 0) + 1)
        said = [self.source.line(number) for number in lines]
        asked = [a.test for a in self.ancestors(product) if isinstance(a, (ast.If, ast.IfExp))]
        said += [ast.unparse(test) for test in asked]
        if owner is not None:
            said += [owner.name, ast.get_docstring(owner) or ""]
        return any(map(ON_PURPOSE.search, said))
