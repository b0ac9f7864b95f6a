"""Source code: a list of layers is repeated, and all of them are one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code

CHAINS = ("torch.nn.ModuleList", "torch.nn.Sequential")
ON_PURPOSE = re.compile(
    r"shar(?:e|ed|es|ing)(?:_|\b)|(?:\b|_)(?:un)?tied?(?:_|\b)|tying|albert|universal|recurren|reus|\bsame\b|unroll",
    re.IGNORECASE,
)


@finds(fixes=True)
def one_in_all_places(code: Code) -> Hits:
    for product, made, number, chain, anew in _layers_repeated(code):
        times, layer = code.text_of(number), code.text_of(made.func)
        says = say("one-stands-all-places", chain=layer, times=times, chain_2=chain)
        fix = (
            Fix(say("make-layer-each-place"), (code.edits.replace(product, anew),))
            if anew
            else None
        )
        yield code.hit(product, says, fix)


def _layers_repeated(code: Code) -> Iterator[tuple[ast.BinOp, ast.Call, ast.expr, str, str]]:
    """`[Block()] * n` of which a ModuleList or Sequential is made: the product, what makes the layer,
    the number, the name of the container, and a comprehension in place of the product, where each layer
    is made in the list."""
    for product in code.of(ast.BinOp):
        listed, number = product.left, product.right
        if isinstance(number, ast.List):
            listed, number = number, listed
        if not isinstance(listed, ast.List) or not isinstance(product.op, ast.Mult):
            continue
        made = [(each, code.flow.assigned_value(each) or each) for each in listed.elts]
        learn = [(each, call) for each, call in made if code.registration.has_parameters(call)]
        chain = _chained(code, product) if learn and not code.flow.is_constant(number, 1) else ""
        if chain and not _shared_on_purpose(code, product):
            call = learn[0][1]
            assert isinstance(call, ast.Call), "what has parameters is made by a call"
            inside = all(isinstance(each, ast.Call) for each in listed.elts)
            yield product, call, number, chain, _made_each(code, listed, number) * inside


def _made_each(code: Code, listed: ast.List, number: ast.expr) -> str:
    """A comprehension that makes what a list holds a number of times."""
    texts, times = [code.text_of(each) for each in listed.elts], code.text_of(number)
    if len(texts) == 1:
        return f"[{texts[0]} for _ in range({times})]"
    return f"[layer for _ in range({times}) for layer in ({', '.join(texts)})]"


def _chained(code: Code, listed: ast.expr) -> str:
    """The container of layers that is made of a list, as it is written; "" where none is."""
    above = code.tree.parent[listed]
    while isinstance(above, (ast.Starred, ast.List)) or (
        isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add)
    ):
        listed, above = above, code.tree.parent[above]
    match above:
        case ast.Call(func=called) if code.names.resolve(called) in CHAINS:
            return code.text_of(called)
        case ast.Assign(targets=[ast.Name() as kept]):
            uses = [n for n in code.tree.names_by_id[kept.id] if isinstance(n.ctx, ast.Load)]
            given = [n for n in uses if code.flow.assigned_value(n) is listed]
            return next(filter(None, map(partial(_chained, code), given)), "")
    return ""


def _shared_on_purpose(code: Code, product: ast.BinOp) -> bool:
    """Whether the words around a list of layers say that all are meant to be one."""
    statement, owner = code.statement(product), code.tree.enclosing_class(product)
    lines = range(max(statement.lineno - 2, 1), (statement.end_lineno or 0) + 1)
    said = [code.source.line(number) for number in lines]
    asked = [a.test for a in code.tree.ancestors(product) if isinstance(a, (ast.If, ast.IfExp))]
    said += [ast.unparse(test) for test in asked]
    if owner is not None:
        said += [owner.name, ast.get_docstring(owner) or ""]
    return any(map(ON_PURPOSE.search, said))
