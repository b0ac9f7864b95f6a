"""Values as Python writes them, in every language: no contents of tensors, arrays and tables, no foreign
`__repr__`, no secrets."""

from __future__ import annotations

import re
import types
from typing import Any

from keng.explain.reasons.evaluation import PLAIN, attribute, class_of, is_a, is_shape

LONGEST = 60
MOST_ELEMENTS = 8
MOST_WORDS = 4
"""Of a setting; a longer text is data."""
SECRET = re.compile(
    r"(?:^|[._])(?:(?:auth|hf|access|api|bearer)_?)?token$"
    r"|secret|passw(?:or)?d|api_?key|credential|authorization",
    re.IGNORECASE,
)
CONTENTS = re.compile(r"tensor\(|array\(|\n|0x[0-9a-f]{6,}")
"""Signs of printed data, and of addresses, which tell a reader nothing."""


def is_secret(name: str) -> bool:
    return SECRET.search(name) is not None


def shown(value: Any, name: str = "", depth: int = 0) -> str:
    """A value as Python writes it, or what it is: `Tensor (2, 3) float32`; "" if that cannot be said."""
    kind = type(value)
    if kind in (str, bytes):
        if is_secret(name):
            return ""
        setting = len(value) <= LONGEST and len(value.split()) <= MOST_WORDS
        return repr(value) if setting else f"{kind.__name__}(len={len(value)})"
    if kind in PLAIN:
        return repr(value) if len(repr(value)) <= LONGEST else ""
    if is_a(value, type):
        return type.__getattribute__(value, "__name__")  # type: ignore[no-any-return]
    if kind in (list, tuple, set, frozenset) and depth < 3:
        return _elements(value, name, depth)
    if is_a(value, dict):
        return _keys(value) if kind.__iter__ is dict.__iter__ else _some(kind.__name__)
    return _object(value, kind)


def _elements(value: Any, name: str, depth: int) -> str:
    kind = type(value).__name__
    if len(value) > MOST_ELEMENTS:
        return f"{kind}(len={len(value)})"
    texts = [shown(each, name, depth + 1) or "..." for each in value]
    opening, closing = {"list": ("[", "]"), "tuple": ("(", ")")}.get(kind, ("{", "}"))
    comma = "," if kind == "tuple" and len(texts) == 1 else ""
    text = f"{opening}{', '.join(texts)}{comma}{closing}"
    return text if len(text) <= 2 * LONGEST else f"{kind}(len={len(value)})"


def _keys(value: Any) -> str:
    keys, kind, size = names_of(value), type(value).__name__, dict.__len__(value)
    if not keys:
        return f"{kind}(len={size})" if size else f"{kind}()"
    text = f"{{{', '.join(f'{key}: ...' for key in keys)}{', ...' if len(keys) < size else ''}}}"
    return text if kind == "dict" else f"{kind}({text})"


def names_of(value: Any) -> list[str]:
    """The keys of a dictionary, the first few; keys that are long texts are data."""
    keys = list(dict.__iter__(value))
    plain = [k for k in keys if type(k) in (int, bool) or (type(k) is str and len(k) <= 40)]
    return [repr(key) for key in plain[:MOST_ELEMENTS]]


def _object(value: Any, kind: type) -> str:
    known = class_of(value)
    if known == "Tensor":
        return f"Tensor {tuple(value.shape)} {str(value.dtype).removeprefix('torch.')}"
    if known == "ndarray":
        return f"ndarray {value.shape} {value.dtype}"
    if known == "generic":
        return repr(value.item()) if value.dtype.kind in "biuf" else f"numpy.{value.dtype}"
    if known in ("dtype", "device") or (kind.__module__ == "torch" and kind.__name__ == "layout"):
        return str(value)
    if is_shape(value) and kind.__name__ == "Size":
        return str(list(value))
    if kind in (types.FunctionType, types.BuiltinFunctionType, types.MethodType):
        return f"<function {value.__name__}>"
    if is_a(value, types.ModuleType):
        return ""
    if type(kind).__name__ in ("EnumMeta", "EnumType"):
        return f"{kind.__name__}.{attribute(value, '_name_')}"
    return _some(kind.__name__)


def _some(name: str) -> str:
    return f"<{name} object>"


def may_be_shown(name: str, text: str) -> bool:
    """Whether a value as a message has it is no data and no secret."""
    return 0 < len(text) <= LONGEST and not CONTENTS.search(text) and not is_secret(name)
