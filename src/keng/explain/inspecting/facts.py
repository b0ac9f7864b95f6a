"""What can be established of an error that no unit knows: what raised it, and what went in.

Nothing is concluded: each fact stands in the message, in the traceback or in the memory of the program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from keng.explain.frame import Frame
from keng.explain.inspecting.answers import Live
from keng.explain.live import Operand
from keng.explain.ownership.paths import PLUMBING, is_torch
from keng.explain.reading.tracebacks import Error
from keng.model import Facts

FILE = re.compile(r"[/\\]((?:torch|functorch|torchvision|torchaudio|torchtext)[/\\].*)$")
LAYERS = re.compile(r"[/\\]torch[/\\]nn[/\\]modules[/\\](?!module\b|container\b)")
NAMED = re.compile(
    r"(?P<op>aten::\w{1,60})|^(?P<dotted>(?:torch|linalg|fft|special|sparse)(?:\.\w{1,40}){1,3})\b"
    r"|^(?P<called>_?[a-z]\w{1,60})\(\)"
)
SHAPE = re.compile(
    r"torch\.Size\(\[[\d, ]{0,80}\]\)|\[\d{1,12}(?:, ?\d{1,12}){0,10}\]"
    r"|\(\d{1,12},(?: ?\d{1,12}(?:, ?\d{1,12}){0,9})?\)|\b(?!0x)\d{1,9}(?:x\d{1,9}){1,6}\b"
)
DTYPES = {
    "Half": "float16", "Float": "float32", "Double": "float64", "BFloat16": "bfloat16",
    "ComplexHalf": "complex32", "ComplexFloat": "complex64", "ComplexDouble": "complex128",
    "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip
"""What C++ calls them."""
DTYPE = re.compile(
    rf"\b(?:torch\.)?(?P<python>b?float(?:16|32|64)|complex(?:32|64|128)|u?int(?:8|16|32|64)|bool)\b"
    rf"|\b(?P<native>{'|'.join(DTYPES)})\b(?! tensor)"
)
DEVICE = re.compile(r"\b(?:(?:cuda|xpu|mps|hpu|meta|cpu)(?::\d{1,3})?|cpu)\b")
ACTS = (
    ast.Call,
    ast.BinOp,
    ast.Subscript,
    ast.Compare,
    ast.UnaryOp,
    ast.Starred,
    ast.comprehension,
)
ROOTS = ("torch", "nn", "F")
ABOUT_GRADIENTS = re.compile(r"grad|\bleaf\b", re.IGNORECASE)
MOST_NAMED = 6


def facts_of(error: Error, live: Live) -> Facts:
    entered = _entered(error.frames)
    tensors = _tensors(entered, live)
    alike = _alike(tensors)
    return Facts(
        _raised_by(error, entered, live),
        live.failing.signature if live.failing is not None else "",
        _layer(live),
        tuple(_described(each, alike, error.message) for each in tensors),
        " ".join(alike),
        _apart(tensors, live),
        () if tensors else tuple(dict.fromkeys(_named_in(error.flat)))[:MOST_NAMED],
        live.caught,
    )


def _entered(frames: Sequence[Frame]) -> Frame | None:
    """The first function of torch's below the user's last line."""
    last = max((n for n, frame in enumerate(frames) if frame.user), default=-1)
    below = [frame for frame in frames[last + 1 :] if is_torch(frame.path)]
    return next((frame for frame in below if not _is_plumbing(frame)), None)


def _is_plumbing(frame: Frame) -> bool:
    container = frame.posix.endswith("torch/nn/modules/container.py")
    return frame.function in PLUMBING or (container and frame.function == "forward")


def _tensors(entered: Frame | None, live: Live) -> Sequence[Operand]:
    """Those of the user's expression; of a layer of torch's, what it was given and what it holds."""
    layer, failing = live.layer, live.failing
    if layer is not None and entered is not None and LAYERS.search(entered.path):
        return (*layer.inputs, *layer.held)
    return failing.tensors if failing is not None else live.given_operands


def _layer(live: Live) -> str:
    """The module whose forward it is, where a variable of the user's leads to it."""
    layer = live.layer
    return (
        f"`{layer.path}` ({layer.kind})" if layer is not None and layer.path != layer.kind else ""
    )


def _raised_by(error: Error, entered: Frame | None, live: Live) -> str:
    """As the user calls it, and where that lies in torch; else as the message does, or the only call of
    the user's line."""
    called = live.failing.function if live.failing is not None else ""
    if entered is not None:
        where = FILE.search(entered.path)
        place = f" ({where[1]}:{entered.line})" if where is not None else ""
        return f"`{called or entered.function}`{place}"
    named = NAMED.search(error.flat)
    own = called or (named[0].removesuffix("()") if named is not None else "")
    own = own or (_only_call(error.frames[-1].text) if error.frames else "")
    return f"`{own}`" if own else ""


def _only_call(line: str) -> str:
    """The function of torch's that a line calls, where it does nothing else that can raise."""
    try:
        nodes = list(ast.walk(ast.parse(line)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    acts = [node for node in nodes if isinstance(node, ACTS)]
    name = ast.unparse(acts[0].func) if len(acts) == 1 and isinstance(acts[0], ast.Call) else ""
    return name if name.partition(".")[0] in ROOTS else ""


def _alike(tensors: Sequence[Operand]) -> list[str]:
    """The dtype and the device that all share, where there are several."""
    shared = [{each.dtype for each in tensors}, {each.device for each in tensors}]
    return [text for texts in shared if len(tensors) > 1 and len(texts) == 1 for text in texts]


def _described(tensor: Operand, alike: Sequence[str], message: str) -> str:
    own = [text for text in (tensor.dtype, tensor.device) if text not in alike]
    if ABOUT_GRADIENTS.search(message):
        own += ["requires grad"] if tensor.requires_grad else []
        own += [] if tensor.is_leaf else ["no leaf"]
    return " ".join([f"`{tensor.name}`", str(tensor.shape), *own])


def _apart(tensors: Sequence[Operand], live: Live) -> dict[str, str]:
    """What they differ in; the parameters of a layer have shapes of their own."""
    held = live.layer.held if live.layer is not None else ()
    shapes = [each.shape for each in tensors if each not in held]
    found = {
        "device": [each.device for each in tensors],
        "dtype": [each.dtype for each in tensors],
        "dimensions": [str(len(shape)) for shape in shapes],
    }
    apart = {name: ", ".join(values) for name, values in found.items() if len(set(values)) > 1}
    if len(shapes) == 2 and "dimensions" not in apart:
        sizes = [(n, a, b) for n, (a, b) in enumerate(zip(*shapes, strict=True)) if a != b]
        if len(sizes) == 1:
            apart["size"] = "{}: {}, {}".format(*sizes[0])
    return apart


def shapes_in(message: str) -> tuple[str, ...]:
    """The shapes that a message names, as it writes them."""
    found = dict.fromkeys(each[0] for each in SHAPE.finditer(message))
    return tuple(found)[:MOST_NAMED]


def _named_in(message: str) -> Iterator[str]:
    """The shapes, dtypes and devices that a message names."""
    yield from (found[0] for found in SHAPE.finditer(message))
    for found in DTYPE.finditer(message):
        native = found["native"]
        yield f"{native} = {DTYPES[native]}" if native else found["python"]
    yield from (found[0] for found in DEVICE.finditer(message))
