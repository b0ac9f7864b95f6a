"""The tensors that the failing expression of a report was given, as the code next to the error makes them.

They are believed only where the code is known to fail in that expression: the message names its function, or
the shapes, dtypes or devices that it says are those of its tensors.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keng.explain.frame import Frame
from keng.explain.live import Operand
from keng.explain.pasted.program import Program, runs_once
from keng.explain.pasted.values import Array, Dtype, Layer, Tensor, broadcast
from keng.tables.operators import forms_of

if TYPE_CHECKING:
    from keng.source import Code

OF_MODULE = re.compile(r"<(?:module|cell line: \d+)>|<ipython-input.*|")
NATIVE = {
    "Half": "float16", "Float": "float32", "Double": "float64", "BFloat16": "bfloat16",
    "ComplexHalf": "complex32", "ComplexFloat": "complex64", "ComplexDouble": "complex128",
    "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip
"""What C++ calls the dtypes."""
DTYPE = re.compile(rf"\b(?:{'|'.join(NATIVE)})\b")
DEVICE = re.compile(r"\b(?:cuda:\d+|cpu)\b")
APART = re.compile(
    r"\((?P<a>\d{1,9})\) must match the size of tensor b \((?P<b>\d{1,9})\) "
    r"at non-singleton dimension (?P<dim>\d)"
)
MAKES = re.compile(
    r"\b(?:torch|np|numpy|F|nn)\.(?:zeros|ones|empty|rand|full|arange|linspace|eye|tensor|as_|from_numpy|array"
    r"|\w*Tensor\b|cuda\.\w+Tensor|random\.)|\b(?:ones|zeros|randn?|tensor|Variable)\("
)
"""A call that makes a tensor of known sizes or numbers."""
WORD = re.compile(r"[a-z]\w+")
CALLED = re.compile(r"(?:torch\.)?(\w+)\(\)")
OPERATIONS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow, ast.Mod, ast.FloorDiv)
MOST_EXPRESSIONS = 60


class Given(NamedTuple):
    """What the failing expression calls, its tensors from left to right, and the layer, if it is one, with
    the name that it has."""

    called: str
    operands: tuple[Operand, ...]
    layer: Layer | None = None
    path: str = ""

    @property
    def dtypes(self) -> set[str]:
        """Also that of the layer."""
        own = {self.layer.dtype} if self.layer is not None else set()
        return own | {each.dtype for each in self.operands}

    @property
    def devices(self) -> set[str]:
        own = {self.layer.device} if self.layer is not None else set()
        return own | {each.device for each in self.operands}

    @property
    def loss_inputs(self) -> tuple[Operand, ...]:
        """The input and the target of a loss, under its own names for them."""
        if not LOSS.search(self.called) or len(self.operands) < 2:
            return ()
        given, target = self.operands[:2]
        return given._replace(name="input"), target._replace(name="target")


NOTHING = Given("", ())
LOSS = re.compile(r"loss$|_entropy(?:_with_logits)?$|_div$|Loss$")


def may_tell(text: str, frames: Sequence[Frame]) -> bool:
    """Whether a text makes a tensor, and its traceback, if it has one, ends in a line of the module: reading
    its code takes longer."""
    user = next((frame for frame in reversed(frames) if frame.user), None)
    in_module = user is not None and OF_MODULE.fullmatch(user.function) is not None
    return (in_module or not frames) and MAKES.search(text) is not None


def given_in(code: Code, message: str, frames: Sequence[Frame]) -> Given:
    """NOTHING where the failing expression, or a tensor in it, is not known."""
    program = Program(code)
    statement = _failing(code, frames)
    if statement is None or not program.run(code.tree.root.body, statement):
        return NOTHING
    found = [
        Given(called, operands, *_layer(program, node))
        for node in _expressions(statement)
        if (called := _called(program, node)) is not None and (operands := _operands(program, node))
    ]
    computing = [n for n in _expressions(statement) if not isinstance(program.value(n), Layer)]
    only = len(computing) == 1
    fitting = [each for each in found if _fits(each, message, only)]
    return fitting[0] if len(fitting) == 1 else NOTHING


def _failing(code: Code, frames: Sequence[Frame]) -> ast.stmt | None:
    """The statement of a traceback's deepest line of the user's; without one the last of all."""
    statements = list(_statements(code.tree.root.body))
    user = next((frame for frame in reversed(frames) if frame.user), None)
    if user is not None:
        if not OF_MODULE.fullmatch(user.function):
            return None
        there = [each for each in statements if _is_line(each, user.text)]
        return there[-1] if there else None
    if frames:
        return None
    return statements[-1] if statements else None


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Those that run once, in order."""
    for each in body:
        if runs_once(each):
            yield from _statements(each.body)
        elif isinstance(each, ast.Assign | ast.Expr | ast.AugAssign | ast.AnnAssign):
            yield each


def _is_line(statement: ast.stmt, text: str) -> bool:
    try:
        return ast.unparse(ast.parse(text.strip())) == ast.unparse(statement)
    except (SyntaxError, ValueError):
        return False


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """What can have raised: calls and operations, outermost first."""
    nodes = (node for node in ast.walk(statement) if isinstance(node, ast.Call | ast.BinOp))
    for n, node in enumerate(nodes):
        printed = isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
        if not printed and n < MOST_EXPRESSIONS:
            yield node


def _operands(program: Program, node: ast.expr) -> tuple[Operand, ...]:
    """Nothing where a value is not known."""
    found: dict[str, Operand] = {}
    for each in _leaves(program, node):
        value, text = program.value(each), ast.unparse(each)
        if isinstance(value, Tensor):
            if value.shape is None or not (value.dtype and value.device):
                return ()
            found[text] = Operand(
                text, value.shape, value.dtype, value.device, value.requires_grad, value.is_leaf
            )
        elif not isinstance(
            value, (Array, Layer, Dtype, int, float, str, bool, tuple, list, type(None))
        ):
            return ()
    return tuple(found.values())


def _leaves(program: Program, node: ast.expr) -> Iterator[ast.expr]:
    """The arguments and operands; the elements of lists of them."""
    parts: list[ast.expr] = []
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            method = isinstance(func, ast.Attribute) and not program.dotted(func)
            parts = [func.value] if method else []  # type: ignore[attr-defined]
            parts += [*args, *(each.value for each in keywords)]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
    for part in parts:
        if isinstance(part, ast.List | ast.Tuple):
            yield from part.elts
        else:
            yield part


def _fits(given: Given, message: str, only: bool) -> bool:
    """Whether the message is about this expression: what it names is there. `only`: nothing else on the line
    can have raised."""
    operands = given.operands
    dtypes = {NATIVE[each] for each in DTYPE.findall(message)}
    devices = {*DEVICE.findall(message)}
    apart = APART.search(message)
    if apart is not None:
        return _meet(operands, {int(apart["a"]), int(apart["b"])}, int(apart["dim"]))
    differ = (len(dtypes) > 1 and dtypes <= given.dtypes) or (
        len(devices) > 1 and devices <= given.devices
    )
    if (dtypes and not dtypes & given.dtypes) or (devices and not devices & given.devices):
        return False
    said = CALLED.match(message)
    if said is not None and forms_of(said[1]):
        return said[1].strip("_") == given.called.strip("_")
    return differ or only or given.called.lower() in {*WORD.findall(message.lower())}


def _called(program: Program, node: ast.expr) -> str | None:
    """The operator of an expression; empty of one that has only a sign, None of what is not torch's."""
    if isinstance(node, ast.BinOp):
        return "" if isinstance(node.op, OPERATIONS) else None
    if not isinstance(node, ast.Call):
        return None
    dotted = program.dotted(node.func)
    if dotted.startswith("torch."):
        return dotted.rpartition(".")[2]
    if isinstance(node.func, ast.Attribute):
        return node.func.attr if forms_of(node.func.attr) else None
    layer, _ = _layer(program, node)
    return layer.kind if layer is not None else None


def _layer(program: Program, node: ast.expr) -> tuple[Layer | None, str]:
    """The layer that is called, and its name."""
    func = node.func if isinstance(node, ast.Call) else node
    value = program.value(func) if isinstance(node, ast.Call) else None
    if not isinstance(value, Layer):
        return None, ""
    return value, ast.unparse(func) if isinstance(func, ast.Name | ast.Attribute) else ""


def _meet(operands: Sequence[Operand], sizes: set[int], dim: int) -> bool:
    """Whether two shapes cannot be broadcast in this dimension."""
    shapes = {each.shape for each in operands}
    longest = max(map(len, shapes), default=0)
    place = dim - longest
    here = {each[place] for each in shapes if len(each) >= -place} if place < 0 else set()
    return here - {1} == sizes - {1} and broadcast(shapes) is None
