"""Source code: positions are counted along the batch, and not along the sequence."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.flow import ATTENTIVE

LAYERED = ATTENTIVE - {"torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder"}
TABLES_MADE = ("torch.zeros", "torch.empty", "torch.randn")


@finds(fixes=True, mentions=["batch_first"])
def counted_along_the_batch(code: Code) -> Hits:
    for cut, size in _positions_along_batch(code):
        text, length = code.text_of(size), code.text_of(size).replace("0", "1")
        says = say("batch-here-batch-first", length=text, length_2=length)
        edits = (code.edits.replace(size, length), code.edits.append(cut, ".transpose(0, 1)"))
        yield code.hit(cut, says, Fix(say("count-along-sequence"), edits))


def _positions_along_batch(code: Code) -> Iterator[tuple[ast.Subscript, ast.expr]]:
    """Positions, a table of (length, 1, d), that are cut to the first size of what they are added to,
    where all attention of the file takes the batch first: the cut, and the size."""
    if b"batch_first" not in code.tree.data:
        return
    firsts = [_takes_batch_first(code, call) for call in code.of(ast.Call)]
    if True not in firsts or False in firsts or _turns_batches(code):
        return
    for added in code.of(ast.BinOp):
        for given, cut in ((added.left, added.right), (added.right, added.left)):
            size = _cut_to_size(code, cut, code.text_of(given))
            if size is not None and isinstance(cut, ast.Subscript) and _is_column(code, cut.value):
                yield cut, size


def _takes_batch_first(code: Code, call: ast.Call) -> bool | None:
    """Of what makes a layer with attention: whether that takes the batch first."""
    if code.names.resolve(call.func) not in LAYERED:
        return None
    said = [keyword.value for keyword in call.keywords if keyword.arg == "batch_first"]
    return bool(said) and code.flow.is_constant(said[0], True)


def _turns_batches(code: Code) -> bool:
    """Whether dimensions change places anywhere but in what is registered as a table."""
    turned = code.calls.method_calls("transpose", "permute", "swapaxes", "t")
    return (
        any(_is_first_two(code, c) for c in turned if not _makes_table(code, c))
        or b"rearrange" in code.tree.data
    )


def _is_first_two(code: Code, call: ast.Call) -> bool:
    return {0, 1} <= {code.flow.number(each) for each in call.args[:2]}


def _makes_table(code: Code, call: ast.Call) -> bool:
    function = code.tree.enclosing_function(call)
    return function is not None and function.name == "__init__"


def _cut_to_size(code: Code, cut: ast.expr, of: str) -> ast.expr | None:
    """`x.size(0)` or `x.shape[0]` of `table[: x.size(0)]`."""
    match cut:
        case ast.Subscript(
            slice=ast.Slice(lower=None, upper=size)
            | ast.Tuple(elts=[ast.Slice(lower=None, upper=size), *_])
        ):
            same = size is not None and code.text_of(size) in (
                f"{of}.size(0)",
                f"{of}.shape[0]",
            )
            return size if same else None
    return None


def _is_column(code: Code, table: ast.expr) -> bool:
    """Whether an attribute of `self` is set to, or registered as, a table whose second size is 1."""
    owner = code.classes.self_class(table.value) if isinstance(table, ast.Attribute) else None
    if owner is None or not isinstance(table, ast.Attribute):
        return False
    given = [value for value, _ in code.classes.attributes(owner).get(table.attr, [])]
    for call in code.below(owner, ast.Call):
        if code.calls.attribute_name(call.func) == "register_buffer" and len(call.args) > 1:
            given += [call.args[1]] if code.tree.is_text(call.args[0], table.attr) else []
    return len(given) == 1 and _has_column(code, given[0])


def _has_column(code: Code, node: ast.expr | None, depth: int = 4) -> bool:
    match node:
        case ast.Name() if depth:
            found = [b.value for b in code.flow.reaching_definitions(node) if b.how == "assign"]
            return len(found) == 1 and _has_column(code, found[0], depth - 1)
        case ast.Call(
            func=ast.Attribute(
                attr="transpose",
                value=ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[over]),
            )
        ):
            return _is_first_two(code, node) and code.flow.number(over) == 0
        case ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[over]):
            return code.flow.number(over) == 1
        case ast.Call(args=[given]) if code.names.resolve(node.func) == "torch.nn.Parameter":
            return _has_column(code, given, depth)
        case ast.Call(args=[_, second, _]) if code.names.resolve(node.func) in TABLES_MADE:
            return code.flow.number(second) == 1
    return False
