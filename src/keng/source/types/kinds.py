"""What a value can be: kinds, and the kinds of what torch and its company make."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple, TypeVar

from keng.source.tree import Definition
from keng.source.types.tables import FACTORIES, MODULE_BASES
from keng.tables import torch_names as known

T = TypeVar("T")


class Kind(Enum):
    TENSOR = "tensor"
    MODULE = "module"
    CRITERION = "criterion"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    LOADER = "loader"
    DATASET = "dataset"
    SCALER = "scaler"
    BATCH = "batch"
    ARRAY = "array"
    NUMBER = "number"
    OTHER = "other"
    UNKNOWN = "unknown"


class Value(NamedTuple):
    """What an expression is: its kind, the dotted name of what made it, the call that made it with
    the file that it stands in, and the class where it is one of the project's."""

    kind: Kind = Kind.UNKNOWN
    dotted: str = ""
    call: ast.Call | None = None
    definition: Definition | None = None


UNKNOWN = Value()
NAMED_IN = {
    "torch.optim": Kind.OPTIMIZER,
    "torch.optim.lr_scheduler": Kind.SCHEDULER,
    "torchvision.models": Kind.MODULE,
}
"""Modules of torch of which whatever is chosen by its name makes such a thing."""
MODULES = {Kind.MODULE, Kind.CRITERION}
MADE = frozenset(
    [
        *(Kind.MODULE, Kind.CRITERION, Kind.OPTIMIZER, Kind.SCHEDULER),
        *(Kind.LOADER, Kind.DATASET, Kind.SCALER),
    ]
)
"""Kinds of objects that differ by the call that made them, which no annotation says."""
OF_TRANSFORMERS = re.compile(r"transformers\.(?!TF|Flax)\w+(?:For[A-Z]\w+|Model)")
"""Classes of Transformers that are modules of PyTorch, by how they are named."""
FROM_HUB = ("from_pretrained", "from_config", "_from_config")


def two_of(things: Iterable[T]) -> set[T]:
    """What things are, until the second that is different: then they do not agree, and the rest need not
    be asked for."""
    different: set[T] = set()
    for thing in things:
        different.add(thing)
        if len(different) > 1:
            break
    return different


def agreed(values: Iterable[Value]) -> Value:
    """The one value that all are, the one kind that all have, or unknown. Asks for no more of them than
    it takes: callers may stand in other files."""
    different = set()
    for value in values:
        if value == UNKNOWN:
            return UNKNOWN
        different.add(value)
    if not different:
        return UNKNOWN
    if len(different) == 1:
        return different.pop()
    kinds = {value.kind for value in different}
    return Value(kinds.pop()) if len(kinds) == 1 else UNKNOWN


def combined(declared: Value, given: Value) -> Value:
    """What is known of a value by its annotation and by what it is given. An annotation mostly names a base
    class: what is given says more where it is of that kind."""
    if declared.kind is Kind.UNKNOWN:
        return given
    alike = given.kind is declared.kind or {given.kind, declared.kind} <= MODULES
    return given if alike and (given.call or given.definition) else declared


def is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def class_kind(dotted: str) -> Kind:
    """The kind of an instance of a class outside the project."""
    home, _, name = dotted.rpartition(".")
    if home == "torch.nn":
        if name in known.LOSSES:
            return Kind.CRITERION
        if name == "Parameter":
            return Kind.TENSOR
        return Kind.MODULE if name in known.MODULES else Kind.UNKNOWN
    if home == "torch.optim" and name in known.OPTIMIZERS:
        return Kind.OPTIMIZER
    if home == "torch.optim.lr_scheduler" and name in known.SCHEDULERS:
        return Kind.SCHEDULER
    if home == "torch.utils.data":
        return (
            Kind.LOADER
            if name == "DataLoader"
            else Kind.DATASET
            if name in known.DATASETS
            else Kind.UNKNOWN
        )
    if dotted in (
        "torch.Tensor",
        "torch.FloatTensor",
        "torch.LongTensor",
        "torch.autograd.Variable",
    ):
        return Kind.TENSOR
    if dotted == "torch.amp.GradScaler":
        return Kind.SCALER
    if dotted in ("numpy.ndarray", "numpy.array"):
        return Kind.ARRAY
    module = dotted in MODULE_BASES or OF_TRANSFORMERS.fullmatch(dotted)
    return Kind.MODULE if module else Kind.UNKNOWN


def function_kind(dotted: str) -> Kind:
    """The kind that a function outside the project returns."""
    home, _, name = dotted.rpartition(".")
    if home == "torch":
        return Kind.TENSOR if name in known.TENSOR_FUNCTIONS else Kind.UNKNOWN
    if home == "torch.nn.functional":
        return Kind.TENSOR
    if home == "numpy":
        return Kind.ARRAY
    if home in ("builtins", "math") and name in (
        "len",
        "float",
        "int",
        "abs",
        "round",
        "sqrt",
        "log",
        "exp",
    ):
        return Kind.NUMBER if name in ("len", "float", "int") or home == "math" else Kind.UNKNOWN
    if any(dotted.startswith(prefix) for prefix in FACTORIES):
        return Kind.MODULE
    if name in FROM_HUB:
        return class_kind(home)
    return Kind.UNKNOWN


def along_a_dimension(call: ast.Call) -> bool:
    """Whether a method is given a dimension in numbers: `x.softmax(-1)`, `x.softmax(dim=1)`."""
    given = next(iter([*call.args, *(k.value for k in call.keywords)]), None)
    given = given.operand if isinstance(given, ast.UnaryOp) else given
    return isinstance(given, ast.Constant) and isinstance(given.value, int)
