"""A layer of Code: what is taken for several and is one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.policies import Policies

CHAINS = ("torch.nn.ModuleList", "torch.nn.Sequential")
ON_PURPOSE = re.compile(
    r"shar(?:e|ed|es|ing)(?:_|\b)|(?:\b|_)(?:un)?tied?(?:_|\b)|tying|albert|universal|recurren|reus|\bsame\b|unroll",
    re.IGNORECASE,
)


class Repeating(Policies):
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
