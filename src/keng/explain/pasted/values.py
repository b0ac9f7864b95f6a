"""What an expression of pasted code can be, as far as the code alone says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

UNKNOWN = object()
"""The value of whatever the code does not say."""

DEFAULT = "float32"
OF_TORCH = {
    "half": "float16", "float": "float32", "double": "float64", "long": "int64", "int": "int32",
    "short": "int16", "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32",
}  # fmt: skip
"""Other names that torch has for its dtypes."""

DTYPES = frozenset(
    {"float16", "float32", "float64", "bfloat16", "complex32", "complex64", "complex128"}
    | {"uint8", "int8", "int16", "int32", "int64", "bool"}
)


class Tensor(NamedTuple):
    """`shape` is None, `dtype` and `device` are empty where the code does not say them."""

    shape: tuple[int, ...] | None
    dtype: str = DEFAULT
    device: str = "cpu"
    requires_grad: bool = False
    is_leaf: bool = True

    @property
    def is_whole(self) -> bool:
        return self.shape is not None and bool(self.dtype and self.device)


class Array(NamedTuple):
    """Of NumPy."""

    shape: tuple[int, ...] | None
    dtype: str = "float64"


class Layer(NamedTuple):
    """A module of torch.nn, by its class and what its constructor is given."""

    kind: str
    given: tuple[tuple[str, Any], ...] = ()
    device: str = "cpu"
    dtype: str = DEFAULT

    def setting(self, name: str) -> Any:
        return dict(self.given).get(name)


class Dtype(NamedTuple):
    name: str


class Device(NamedTuple):
    name: str


def device_of(text: str) -> Device:
    """As a tensor says where it is: `cuda:0` of "cuda"."""
    return Device(f"{text}:0" if text in ("cuda", "mps", "xpu") else text)


def dtype_of(name: str) -> Dtype | None:
    known = OF_TORCH.get(name, name)
    return Dtype(known) if known in DTYPES else None


def category(dtype: str) -> int:
    """The kinds of dtypes in the order of promotion."""
    if dtype == "bool":
        return 0
    if "int" in dtype:
        return 1
    return 3 if dtype.startswith("complex") else 2


def promoted(dtypes: Iterable[str]) -> str:
    """The dtype of a result; empty where one is not known, or the table of torch would be needed."""
    different = {*dtypes}
    if "" in different:
        return ""
    highest = max(map(category, different), default=2)
    top = {each for each in different if category(each) == highest}
    if len(top) == 1:
        return top.pop()
    order = ("uint8", "int8", "int16", "int32", "int64", "float32", "float64")
    places = [order.index(each) if each in order else -1 for each in top]
    return order[max(places)] if min(places) >= 0 and not {"uint8", "int8"} <= top else ""


def broadcast(shapes: Iterable[tuple[int, ...] | None]) -> tuple[int, ...] | None:
    """None where one is not known, or they do not fit each other."""
    known = [*shapes]
    if not known or None in known:
        return None
    whole = [each for each in known if each is not None]
    longest = max(map(len, whole))
    sizes = []
    for place in range(-longest, 0):
        here = {each[place] for each in whole if len(each) >= -place} - {1}
        if len(here) > 1:
            return None
        sizes.append(here.pop() if here else 1)
    return tuple(sizes)
