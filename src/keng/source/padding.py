"""A layer of Code: what padding is taken for, in masks and in losses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.overwriting import Overwriting
from keng.source.slips import OF_SCORES
from keng.source.values import Kind

ATTENTIVE = frozenset(
    f"torch.nn.{name}"
    for name in (
        *("MultiheadAttention", "Transformer", "TransformerEncoder", "TransformerDecoder"),
        *("TransformerEncoderLayer", "TransformerDecoderLayer"),
    )
)
LAYERED = ATTENTIVE - {"torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder"}
TABLES_MADE = ("torch.zeros", "torch.empty", "torch.randn")
ATTENDS = "torch.nn.functional.scaled_dot_product_attention"
PADS = re.compile(r"(?:^|_)pad(?:_|$|ding)", re.IGNORECASE)
TOKENS = re.compile(r"(?:^|_)(?:ids?|tokens?|words?|src|tgt|seqs?|sequences?|inputs?|texts?)$")
LENGTHS = re.compile(r"len", re.IGNORECASE)
KEEPS_TRUTH = frozenset(
    "to bool cuda unsqueeze view expand expand_as repeat reshape contiguous".split()
)
LEAVES_OUT = {"ignore_index", "weight", "reduction", "reduce", None}
"""Arguments of a loss by which padding may count for nothing."""
PAD_SEQUENCE = "torch.nn.utils.rnn.pad_sequence"
TURNED = {ast.NotEq: 1, ast.Eq: -1}
COUNTED = {ast.Lt: 1, ast.GtE: -1, ast.Gt: -1, ast.LtE: 1}


class Padding(Overwriting):
    def masks_turned_round(self) -> Iterator[tuple[ast.expr, str, bool]]:
        """Masks that hide what is no padding: the mask, what takes it, and whether that hides where it is
        True."""
        for keyword in self.of(ast.keyword):
            call = self.parent[keyword]
            if keyword.arg is None or not keyword.arg.endswith("key_padding_mask"):
                continue
            of_torch = isinstance(call, ast.Call) and self.value_of(call.func).dotted in ATTENTIVE
            if of_torch and self._true_where_real(keyword.value) > 0:
                yield keyword.value, keyword.arg, True
        for call in self.method_calls("masked_fill", "masked_fill_"):
            hides = len(call.args) == 2 and self._hugely_negative(call.args[1])
            if hides and self._true_where_real(call.args[0]) > 0:
                yield call.args[0], self.written_name(call.func), True
        for call in self.calls_to(ATTENDS):
            mask = self.argument(call, "attn_mask", 3)
            if mask is not None and self._true_where_real(mask) < 0:
                yield mask, "scaled_dot_product_attention", False

    def _true_where_real(self, node: ast.expr | None, depth: int = 6) -> int:
        """1 where a mask is True for what is no padding, -1 where it is True for padding, 0 where that is not
        known."""
        match node:
            case ast.Name() if depth:
                return self._true_where_real(self.assigned(node), depth - 1)
            case ast.UnaryOp(op=ast.Invert(), operand=inner):
                return -self._true_where_real(inner, depth)
            case ast.Subscript(value=inner, slice=places) if _adds_dimensions(places):
                return self._true_where_real(inner, depth)
            case ast.Call(func=ast.Attribute(attr=name, value=inner)) if name in KEEPS_TRUTH:
                return self._true_where_real(inner, depth)
            case ast.Call(args=[given]) if self.written_name(node.func) == "logical_not":
                return -self._true_where_real(given, depth)
            case ast.Call(func=ast.Attribute(attr="ne", value=left), args=[right]):
                return self._compared_with_padding(left, right)
            case ast.Call(func=ast.Attribute(attr="eq", value=left), args=[right]):
                return -self._compared_with_padding(left, right)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                if type(op) in TURNED:
                    return TURNED[type(op)] * self._compared_with_padding(left, right)
                return COUNTED.get(type(op), 0) * self._counted_to_length(left, right)
        return 0

    def _compared_with_padding(self, left: ast.expr, right: ast.expr) -> int:
        """1 where tokens are compared with what fills them up."""
        pads = PADS.search(_last_name(right)) is not None and "mask" not in ast.unparse(left)
        zero = isinstance(right, ast.Constant) and right.value == 0
        return int(pads or (zero and TOKENS.search(_last_name(left)) is not None))

    def _counted_to_length(self, left: ast.expr, right: ast.expr) -> int:
        """1 where places are compared with lengths, -1 where lengths are with places."""
        for places, lengths, way in ((left, right, 1), (right, left, -1)):
            if self._are_places(places) and LENGTHS.search(ast.unparse(lengths)):
                return way
        return 0

    def _are_places(self, node: ast.expr) -> bool:
        made = [self.assigned(inner) or inner for inner in ast.walk(node)]
        calls = [each for each in made if isinstance(each, ast.Call)]
        return any(self.value_of(call).dotted == "torch.arange" for call in calls)

    def positions_along_batch(self) -> Iterator[tuple[ast.Subscript, ast.expr]]:
        """Positions, a table of (length, 1, d), that are cut to the first size of what they are added to,
        where all attention of the file takes the batch first: the cut, and the size."""
        if b"batch_first" not in self.data:
            return
        firsts = [self._takes_batch_first(call) for call in self.of(ast.Call)]
        if True not in firsts or False in firsts or self._turns_batches():
            return
        for added in self.of(ast.BinOp):
            for given, cut in ((added.left, added.right), (added.right, added.left)):
                size = self._cut_to_size(cut, self.text_of(given))
                if (
                    size is not None
                    and isinstance(cut, ast.Subscript)
                    and self._is_column(cut.value)
                ):
                    yield cut, size

    def _takes_batch_first(self, call: ast.Call) -> bool | None:
        """Of what makes a layer with attention: whether that takes the batch first."""
        if self.resolve(call.func) not in LAYERED:
            return None
        said = [keyword.value for keyword in call.keywords if keyword.arg == "batch_first"]
        return bool(said) and self.is_constant(said[0], True)

    def _turns_batches(self) -> bool:
        """Whether dimensions change places anywhere but in what is registered as a table."""
        turned = self.method_calls("transpose", "permute", "swapaxes", "t")
        return (
            any(self._is_first_two(c) for c in turned if not self._makes_table(c))
            or b"rearrange" in self.data
        )

    def _is_first_two(self, call: ast.Call) -> bool:
        return {0, 1} <= {self.me.number(each) for each in call.args[:2]}

    def _makes_table(self, call: ast.Call) -> bool:
        function = self.function_around(call)
        return function is not None and function.name == "__init__"

    def _cut_to_size(self, cut: ast.expr, of: str) -> ast.expr | None:
        """`x.size(0)` or `x.shape[0]` of `table[: x.size(0)]`."""
        match cut:
            case ast.Subscript(
                slice=ast.Slice(lower=None, upper=size)
                | ast.Tuple(elts=[ast.Slice(lower=None, upper=size), *_])
            ):
                same = size is not None and self.text_of(size) in (
                    f"{of}.size(0)",
                    f"{of}.shape[0]",
                )
                return size if same else None
        return None

    def _is_column(self, table: ast.expr) -> bool:
        """Whether an attribute of `self` is set to, or registered as, a table whose second size is 1."""
        owner = self.self_class(table.value) if isinstance(table, ast.Attribute) else None
        if owner is None or not isinstance(table, ast.Attribute):
            return False
        given = [value for value, _ in self.attributes(owner).get(table.attr, [])]
        for call in self.below(owner, ast.Call):
            if self.written_name(call.func) == "register_buffer" and len(call.args) > 1:
                given += [call.args[1]] if self.is_text(call.args[0], table.attr) else []
        return len(given) == 1 and self._has_column(given[0])

    def _has_column(self, node: ast.expr | None, depth: int = 4) -> bool:
        match node:
            case ast.Name() if depth:
                found = [b.value for b in self.reaching(node) if b.how == "assign"]
                return len(found) == 1 and self._has_column(found[0], depth - 1)
            case ast.Call(
                func=ast.Attribute(
                    attr="transpose",
                    value=ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[over]),
                )
            ):
                return self._is_first_two(node) and self.me.number(over) == 0
            case ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[over]):
                return self.me.number(over) == 1
            case ast.Call(args=[given]) if self.resolve(node.func) == "torch.nn.Parameter":
                return self._has_column(given, depth)
            case ast.Call(args=[_, second, _]) if self.resolve(node.func) in TABLES_MADE:
                return self.me.number(second) == 1
        return False

    def padded_labels(self) -> Iterator[tuple[ast.Call, ast.Call, str, str]]:
        """Losses that count labels which a collate function has filled up: the call, the call that says what
        is left out, that function, and what it fills up with."""
        if not self.project.says(b"pad_sequence", self.path):
            return
        for call in self.me.loss_calls(*OF_SCORES):
            target, made = self.argument(call, "target", 1), self.value_of(call.func).call or call
            if target is None or not self._is_label(target) or made not in self.parent:
                continue
            if {keyword.arg for keyword in made.keywords} & LEAVES_OUT:
                continue
            loops = [above for above in self.ancestors(call) if isinstance(above, ast.For)]
            padded = [both for loop in loops if (both := self._labels_padded(loop.iter))]
            if padded:
                yield call, made, *padded[0]

    def _labels_padded(self, through: ast.expr) -> tuple[str, str] | None:
        """The collate function of a loader, where it fills up the second of two parts of a batch, and with
        what."""
        while isinstance(through, ast.Call) and self.kind_of(through) is not Kind.LOADER:
            if not through.args:
                return None
            through = through.args[0]
        made = self.value_of(through).call
        given = self.argument(made, "collate_fn", 6) if made in self.parent else None
        function = self.definition(given) if given is not None else None
        if function is None or isinstance(function.node, ast.ClassDef):
            return None
        filled = {function.code.me.filled_up(each) for each in function.code.returns(function.node)}
        with_ = filled.pop() if len(filled) == 1 else ""
        return (function.name, with_) if with_ else None

    def filled_up(self, batch: ast.expr) -> str:
        """What the labels of a batch, a pair, are filled up with by `pad_sequence`, as text; -100 is left
        out by every loss."""
        labels = batch.elts[1] if isinstance(batch, ast.Tuple) and len(batch.elts) == 2 else None
        made = self.assigned(labels) or labels
        if not isinstance(made, ast.Call) or self.resolve(made.func) != PAD_SEQUENCE:
            return ""
        value = self.argument(made, "padding_value", 2)
        text = "0" if value is None else self.text_of(self.assigned(value) or value)
        return "" if text.startswith("-") else text


def _adds_dimensions(places: ast.expr) -> bool:
    """`[:, None]` and the like."""
    parts = places.elts if isinstance(places, ast.Tuple) else [places]
    whole = [isinstance(p, ast.Slice) and not (p.lower or p.upper or p.step) for p in parts]
    return all(
        all_ or (isinstance(p, ast.Constant) and p.value in (None, ...))
        for p, all_ in zip(parts, whole, strict=True)
    )


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
