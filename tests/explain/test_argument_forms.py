"""What is said of a call that fits none of the forms that a function of PyTorch has."""

from __future__ import annotations

import linecache

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from keng.explain.engine import explain_live

SAID = {
    "x.view(3.0, 4)": "`size` of view wants tuple of ints and gets a float",
    "x.view()": "view is called without `size`",
    "x.sum(keepdims=True)": "sum has no `keepdims`: it is called `keepdim`",
    "x.max(dim=(0, 1))": "`dim` of max wants int and gets several",
    "x.std(dim='a')": "`dim` of std wants tuple of ints and gets a text",
    "x.to(np.float32)": "`dtype` of to wants torch.dtype and gets a type of NumPy's",
    "torch.normal(0, 1)": "normal is called without `size`",
    "torch.pow(2, 3)": "`exponent` of pow wants Tensor and gets a number",
    "torch.where(x > 0, None, x)": "`input` of where wants Tensor and gets None",
    "torch.Tensor([1], dtype=torch.int)": "torch.Tensor(...) has no `dtype`",
    "torch.rand(2, names=('a',))": "rand has no `names`",
    "torch.add(largest=True)": "`torch.add` has no argument `largest`",
    "F.conv2d(x, x, None, 1, 0.5)": "`padding` of conv2d wants tuple of ints and gets a float",
}


NAMES_DIMENSIONS = hasattr(torch.Tensor, "align_to")
"""As torch 2.4 does: a name is no wrong type there."""


@pytest.mark.parametrize("call", SAID)
def test_the_argument_that_fits_no_form_is_named(call: str) -> None:
    if NAMES_DIMENSIONS and "'a'" in call:
        pytest.skip(f"torch {torch.__version__} has names of dimensions")
    scope = {"torch": torch, "np": np, "F": F, "x": torch.ones(3, 4)}
    linecache.cache["/home/u/train.py"] = (len(call), None, [call], "/home/u/train.py")
    with pytest.raises(TypeError) as raised:
        eval(compile(call, "/home/u/train.py", "eval"), scope)
    assert SAID[call] in explain_live(raised.value).diagnoses[0].hit.says
