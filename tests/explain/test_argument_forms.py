"""What is said of a call that fits none of the forms that a function of PyTorch has."""

from __future__ import annotations

import linecache

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from keng.explain.engine import explain_live
from message_values import values_of

Said = tuple[str, dict[str, str]]


def of_type(name: str, function: str, wants: str, came: str) -> Said:
    values = {"name": name, "function": f"`{function}`", "wants": wants, "came": came}
    return "argument-type", values


SAID: dict[str, Said] = {
    "x.view(3.0, 4)": of_type("size", "view", "tuple of ints", "float-for-integer"),
    "x.view()": ("argument-missing", {"function": "view", "name": "size"}),
    "x.sum(keepdims=True)": (
        "argument-has-another-name",
        {"function": "sum", "name": "keepdims", "meant": "keepdim"},
    ),
    "x.max(dim=(0, 1))": of_type("dim", "max", "int", "several-for-one"),
    "x.std(dim='a')": of_type("dim", "std", "tuple of ints", "text-for-number"),
    "x.to(np.float32)": of_type("dtype", "to", "torch.dtype", "type-for-dtype"),
    "torch.normal(0, 1)": ("argument-missing", {"function": "normal", "name": "size"}),
    "torch.pow(2, 3)": of_type("exponent", "pow", "Tensor", "number-for-tensor"),
    "torch.where(x > 0, None, x)": of_type("input", "where", "Tensor", "a-none"),
    "torch.Tensor([1], dtype=torch.int)": ("argument-of-tensor-function", {"name": "dtype"}),
    "torch.rand(2, names=('a',))": ("argument-unknown", {"function": "rand", "name": "names"}),
    "F.conv2d(x, x, None, 1, 0.5)": of_type(
        "padding", "conv2d", "tuple of ints", "float-for-integer"
    ),
}
SAID_OF_OTHERS = {"torch.add(largest=True)": "`largest` is no argument of torch.add"}


NAMES_DIMENSIONS = hasattr(torch.Tensor, "align_to")
"""As torch 2.4 does: a name is no wrong type there."""


@pytest.mark.parametrize("call", [*SAID, *SAID_OF_OTHERS])
def test_the_argument_that_fits_no_form_is_named(call: str) -> None:
    if NAMES_DIMENSIONS and "'a'" in call:
        pytest.skip(f"torch {torch.__version__} has names of dimensions")
    scope = {"torch": torch, "np": np, "F": F, "x": torch.ones(3, 4)}
    linecache.cache["/home/u/train.py"] = (len(call), None, [call], "/home/u/train.py")
    with pytest.raises(TypeError) as raised:
        eval(compile(call, "/home/u/train.py", "eval"), scope)
    says = explain_live(raised.value).diagnoses[0].hit.says
    if call in SAID:
        id, values = SAID[call]
        assert values_of(says, id) == values
    else:
        assert SAID_OF_OTHERS[call] in says
