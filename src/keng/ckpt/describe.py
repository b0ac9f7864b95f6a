"""Values and calls of a file in words, however large or knotted they are."""

from __future__ import annotations

from keng.ckpt.checkpoint import Call
from keng.ckpt.nodes import Dict, Global, Opaque, Storage, Tensor
from keng.ckpt.pickle.numpy_scalars import number
from keng.ckpt.tree import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 120
"""Characters of a text of the file that are repeated."""
DEEPEST = 3
MOST = 6
"""Items of a list that are shown."""
BIG = 10**15


def called(call: Call) -> str:
    """ "os.system('touch /tmp/x')" """
    args = call.args if isinstance(call.args, list | tuple) else (call.args,)
    return f"{call.name}({', '.join(_items(list(args), 1))})"


def shown(value: Any, depth: int = 0) -> str:
    if isinstance(value, Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, Storage):
        return (
            f"storage {value.key} of {value.nbytes} bytes" if value.key else f"{value.nbytes} bytes"
        )
    if isinstance(value, Global):
        return str(value)[:LONGEST]
    if isinstance(value, Dict):
        return _dict(value, depth)
    if isinstance(value, Opaque):
        return _opaque(value, depth)
    if isinstance(value, list | tuple):
        brackets = "[]" if isinstance(value, list) else "()"
        return f"{brackets[0]}{', '.join(_items(value, depth + 1))}{brackets[1]}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > BIG:
        return hex(value)[:LONGEST]  # decimal digits take time in the square of their number
    if isinstance(value, str | bytes) and len(value) > LONGEST:
        return f"{value[:LONGEST]!r}... ({len(value)} long)"
    return repr(value)


def _items(values: list[Any] | tuple[Any, ...], depth: int) -> list[str]:
    if depth > DEEPEST:
        return ["..."] if values else []
    more = [f"... {len(values) - MOST} more"] if len(values) > MOST else []
    return [shown(value, depth) for value in values[:MOST]] + more


def _dict(value: Dict, depth: int) -> str:
    if depth >= DEEPEST:
        return "{...}" if value.pairs else "{}"
    pairs = [f"{shown(k, depth + 1)}: {shown(v, depth + 1)}" for k, v in value.pairs[:MOST]]
    more = [f"... {len(value.pairs) - MOST} more"] if len(value.pairs) > MOST else []
    return f"{{{', '.join(pairs + more)}}}"


def _opaque(value: Opaque, depth: int) -> str:
    if (scalar := number(value)) is not None:
        return f"{scalar!r} (NumPy)"
    args = value.args if isinstance(value.args, list | tuple) else (value.args,)
    inside = [*_items(tuple(args), depth + 1), *_attributes(value.state, depth + 1)]
    inside += [shown(value.items, depth)] if value.items else []
    more = ["..."] if inside and value.pairs else []
    return f"{str(value.name)[:LONGEST]}({', '.join(inside + more)})"


def _attributes(state: Any, depth: int) -> list[str]:
    """The plain ones, as a Namespace has them."""
    if not isinstance(state, Dict) or depth > DEEPEST:
        return []
    public = [(name, v) for name, v in state.names.items() if type(v) in PLAIN and name[:1] != "_"]
    more = [f"... {len(public) - MOST} more"] if len(public) > MOST else []
    return [f"{name[:LONGEST]}={shown(value)}" for name, value in public[:MOST]] + more
