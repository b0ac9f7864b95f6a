"""What may be called while a function is followed: functions that only compute."""

from __future__ import annotations

import builtins
import math
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

HOMES = (
    *("torch.functional", "torch.nn.functional", "torch._C._nn", "torch._C._fft"),
    *("torch._C._linalg", "torch._C._special", "torch.special", "torch.fft", "torch.linalg"),
    *("torch._VF", "torch._jit_internal", "torch.nn.utils.rnn", "torch.nn.attention"),
)
"""Modules of torch whose functions compute tensors from tensors."""

FORBIDDEN = frozenset(
    {
        *("save", "load", "from_file", "from_numpy", "frombuffer", "as_tensor", "set_num_threads"),
        *("manual_seed", "seed", "compile", "set_rng_state", "set_default_dtype", "vmap"),
        *("set_grad_enabled", "set_default_device", "set_flush_denormal", "init_num_threads"),
        *("use_deterministic_algorithms", "set_float32_matmul_precision", "set_printoptions"),
        *("item", "tolist", "numpy", "backward", "register_hook", "share_memory_", "data_ptr"),
        *("storage", "untyped_storage", "pin_memory", "register_post_accumulate_grad_hook"),
        *("map_", "map2_", "apply_", "set_", "record_stream", "retain_grad", "is_set_to"),
    }
)
FACTORIES = frozenset(
    {
        *("zeros", "ones", "empty", "full", "rand", "randn", "randint", "randperm", "arange"),
        *(
            "linspace",
            "logspace",
            "eye",
            "tensor",
            "scalar_tensor",
            "hann_window",
            "bartlett_window",
        ),
        *("hamming_window", "blackman_window", "tril_indices", "triu_indices"),
    }
)
"""Functions that make tensors from numbers, on the device that they are given."""

KEEPS_SHAPE = frozenset(
    {
        *(
            "to",
            "cpu",
            "cuda",
            "float",
            "half",
            "double",
            "bfloat16",
            "long",
            "int",
            "bool",
            "type",
        ),
        *("type_as", "detach", "clone", "contiguous", "requires_grad_", "detach_", "pin_memory"),
    }
)
"""Methods of tensors whose result has the same shape, whatever they are called with."""

OF_TENSORS = (
    "shape",
    "dtype",
    "ndim",
    "T",
    "mT",
    "H",
    "mH",
    "data",
    "real",
    "imag",
    "device",
    "itemsize",
)
PURE_PACKAGES = ("einops",)
OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "USub": operator.neg,
    "UAdd": operator.pos,
    "Invert": operator.invert,
}
SIGNS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "MatMult": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
}  # fmt: skip
BUILTINS = frozenset(
    {
        *("len", "abs", "min", "max", "sum", "any", "all", "sorted", "int", "float", "bool", "str"),
        *("round", "divmod", "set", "list", "tuple", "dict", "range", "zip", "enumerate"),
        *("isinstance", "reversed", "slice", "type", "callable"),
    }
)
METHODS = {
    str: "startswith endswith lower upper strip split replace format join",
    dict: "get keys values items",
    list: "index count copy",
    tuple: "index count",
}
OWN_METHODS = {list: "append extend insert pop reverse", dict: "update pop setdefault"}
"""Methods that change a container, which has to be one that was made here."""

NUMPYS = ("prod", "sqrt", "log2", "ceil", "floor", "sum", "log")
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, range)


def is_builtin(function: Any) -> bool:
    return any(function is vars(builtins)[name] for name in BUILTINS)


def is_plain_math(function: Any) -> bool:
    """`math.sqrt`, or `np.prod` of numbers."""
    if type(function) is types.BuiltinFunctionType and function.__module__ == "math":
        return vars(math).get(function.__name__) is function
    numpy = vars(sys.modules["numpy"]) if "numpy" in sys.modules else {}
    return any(function is numpy.get(name) for name in NUMPYS)


def computes(function: Any) -> bool:
    """Whether it is a function of torch's, or of a package like it, that computes tensors from tensors."""
    kind = type(function)
    if kind not in (types.FunctionType, types.BuiltinFunctionType):
        return False
    name, home = function.__name__, function.__module__ or ""
    if name in FORBIDDEN or name.startswith("_"):
        return False
    if kind is types.FunctionType:
        pure = home.partition(".")[0] in PURE_PACKAGES
        return pure or home.startswith(HOMES) or (home == "torch" and name == "is_tensor")
    return home in ("torch", *HOMES)
