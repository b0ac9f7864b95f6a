"""Source code: a number of samples is divided by the number of batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True, mentions=["len"])
def divided_by_batches(code: Code) -> Hits:
    for divided, name, loader in _counts_over_batches(code):
        text = code.text_of(loader)
        says = say("counts-samples-batches", loader=name, text=text)
        assert isinstance(divided.right, ast.Call)
        fix = Fix(say("divide-samples"), (code.edits.append(divided.right.args[0], ".dataset"),))
        yield code.hit(divided, says, fix)


@finds(fixes=True, mentions=["len"])
def last_batch_taken_for_whole(code: Code) -> Hits:
    for product, loader, sure in _counts_over_whole_batches(code):
        text = code.text_of(loader)
        says = say("takes-last-batch-whole", loader=code.text_of(product), text=text)
        fix = Fix(say("divide-samples"), (code.edits.replace(product, f"len({text}.dataset)"),))
        yield code.hit(product, says, fix, sure)


def _counts_over_batches(code: Code) -> Iterator[tuple[ast.BinOp, str, ast.expr]]:
    """`correct / len(loader)`, where `correct` sums over the samples of the batches of `loader`."""
    for length in code.calls.calls_by_name.get("len", ()):
        match code.tree.parent[length]:
            case ast.BinOp(op=ast.Div(), right=right) as divided if right is length:
                loader = length.args[0] if length.args else None
                if loader is None or not _holds_several(code, loader):
                    continue
                for name in ast.walk(divided.left):
                    if isinstance(name, ast.Name) and _counts_in(code, name, loader):
                        yield divided, name.id, loader


def _counts_over_whole_batches(code: Code) -> Iterator[tuple[ast.BinOp, ast.expr, bool]]:
    """`correct / (len(loader) * batch_size)`, where `correct` sums over the samples of `loader` and its
    last batch is not left out: that product, the loader, and whether the batch is known to be smaller."""
    for divided in code.of(ast.BinOp) if "len" in code.calls.calls_by_name else ():
        product = code.flow.assigned_value(divided.right) or divided.right
        if not isinstance(divided.op, ast.Div) or not isinstance(product, ast.BinOp):
            continue
        for length, size in ((product.left, product.right), (product.right, product.left)):
            loader = _length_of(code, length) if isinstance(product.op, ast.Mult) else None
            if loader is None or not _is_counted(code, divided.left, loader):
                continue
            smaller = _ends_smaller(code, loader, size)
            if smaller is not None:
                yield product, loader, smaller


def _length_of(code: Code, node: ast.expr) -> ast.expr | None:
    known = isinstance(node, ast.Call) and code.names.resolve(node.func) == "builtins.len"
    return node.args[0] if known and isinstance(node, ast.Call) and node.args else None


def _is_counted(code: Code, node: ast.expr, loader: ast.expr) -> bool:
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
    return any(_counts_in(code, name, loader) for name in names)


def _ends_smaller(code: Code, loader: ast.expr, size: ast.expr) -> bool | None:
    """Whether the last batch of a loader is known to be smaller than this size, which is that of the
    others; None where it is not, or is left out, or the loader is not known."""
    made = [c for c in _loaders_given(code, loader) if c in code.tree.parent]
    given = [{k.arg: k.value for k in call.keywords} for call in made]
    chosen = {"sampler", "batch_sampler", None}
    kept = [
        call
        for call, options in zip(made, given, strict=True)
        if not chosen & set(options)
        and len(call.args) < 4
        and code.flow.is_constant(options.get("drop_last", ast.Constant(False)), False)
    ]
    if not kept or not all(_is_size_of(code, size, call, loader) for call in kept):
        return None
    counted = [code.shapes.samples(code.calls.argument(call, "dataset", 0)) for call in kept]
    each = [code.flow.number(code.calls.argument(call, "batch_size", 1)) for call in kept]
    if None in counted or None in each:
        return False
    rests = [n % by for n, by in zip(counted, each, strict=True) if n is not None and by]
    if not any(rests):
        return None
    return all(rests) and len(kept) == len(made)


def _loaders_given(code: Code, loader: ast.expr) -> list[ast.Call]:
    """The calls that may have made a loader, an argument of a function too."""
    made = code.types.value_of(loader)
    found = code.flow.reaching_definitions(loader) if isinstance(loader, ast.Name) else []
    if made.call is None and len(found) == 1 and found[0].how == "argument":
        given = code.types.argument_values(found[0].node)
        values = [code.types.of(tree).value_of(node) for tree, node in given]
    else:
        values = [made]
    return [v.call for v in values if v.kind is Kind.LOADER and v.call is not None]


def _is_size_of(code: Code, size: ast.expr, made: ast.Call, loader: ast.expr) -> bool:
    """Whether a factor is the batch size of a loader: its attribute, a name of that, or its number."""
    text, given = ast.unparse(size), code.calls.argument(made, "batch_size", 1)
    if given is None or code.flow.number(given) == 1:
        return False
    alike = text in (f"{ast.unparse(loader)}.batch_size", ast.unparse(given))
    number = code.flow.number(size)
    named = text.rpartition(".")[2].lower() in ("batch_size", "bs", "batchsize")
    return alike or (number is not None and number == code.flow.number(given)) or named


def _holds_several(code: Code, loader: ast.expr) -> bool:
    """Whether it is a loader whose batches are not known to be single samples."""
    value = code.types.value_of(loader)
    size = code.calls.argument(value.call, "batch_size", 1) if value.call is not None else loader
    return value.kind is Kind.LOADER and size is not None and not code.flow.is_constant(size, 1)


def _counts_in(code: Code, count: ast.Name, loader: ast.expr) -> bool:
    """Whether a name was only added to in a loop over a loader, each time a number of samples."""
    added = [b for b in code.names.bindings(count) if b.how == "augment"]
    statements = [code.statement(binding.node) for binding in added]
    return bool(added) and all(
        isinstance(s, ast.AugAssign)
        and isinstance(s.op, ast.Add)
        and _counts_hits(code, s.value)
        and _loops_over(code, s, ast.unparse(loader))
        for s in statements
    )


def _counts_hits(code: Code, value: ast.expr) -> bool:
    """`(pred == y).sum()`, as a number or not."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr == "sum" and not value.args and not value.keywords:
            return _compared(code, value.func.value)
        if value.func.attr not in ("item", "float", "cpu", "int", "double"):
            return False
        value = value.func.value
    return False


def _compared(code: Code, node: ast.expr) -> bool:
    """`pred == y` or `pred.eq(y)`, with conversions behind it."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "eq":
            return True
        node = node.func.value
    return isinstance(node, ast.Compare)


def _loops_over(code: Code, statement: ast.stmt, loader: str) -> bool:
    loop = code.around(statement, ast.For)
    return loop is not None and any(
        ast.unparse(n) == loader for n in ast.walk(loop.iter) if isinstance(n, ast.expr)
    )
