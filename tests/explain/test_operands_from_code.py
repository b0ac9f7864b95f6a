"""The tensors of a failing expression, as the code next to an error makes them."""

from __future__ import annotations

import re

import pytest
import torch

from keng.explain.engine import explain_text
from keng.explain.live import Operand
from keng.explain.pasted.given import NOTHING, Given, given_in
from keng.explain.reading.tracebacks import read
from keng.source.pasted import code_in

APART = (
    "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 1"
)
MADE = """
a = torch.randn(2, 3)
b = torch.zeros((4, 5), dtype=torch.float16, device="meta")
c = torch.randint(0, 5, (2, 2)) / 2
d = torch.tensor([[1, 2], [3, 4.0]])
e = torch.tensor([True, False])
f = torch.from_numpy(np.zeros((2, 3)))
g = torch.from_numpy(np.array([1, 2]).astype(np.float32))
h = a.t() @ torch.ones(2, 7)
i = torch.ones(2, 1, 3).squeeze(1).long()
j = torch.randn(2, 3, 4).permute(0, 2, 1)[:, -1, None]
k = torch.randn(2, 3, requires_grad=True)
l = k * 2
m = torch.cat([a, f.float()], dim=-1)
n = torch.stack((a, a)).flatten(1)
o = a > 0
p = (a > 0).sum(1)
q = nn.Linear(3, 5)(a)
r = torch.arange(0, 1, 0.25)
s, t = torch.ones(2), torch.ones_like(b)
u = a.view(-1, 2).expand(4, 3, 2)
v = i + 1.5
w = torch.tensor(3) + torch.ones(2, dtype=torch.float16)
x = nn.Parameter(torch.randn(4, 1)).mean(0, keepdim=True)
x = x.unsqueeze(0)
with torch.no_grad():
    y = torch.softmax(a, dim=1).argmax(1)
z = torch.ones(3).requires_grad_()
z += 1
"""


def given(text: str) -> Given:
    """Of a text whose last line is the error."""
    report = read(text.splitlines())
    code, error = code_in("\n".join(report.rest)), report.errors[0]
    return given_in(code, error.flat, error.frames) if code is not None else NOTHING


def known(text: str) -> dict[str, tuple[tuple[int, ...], str, str]]:
    return {o.name: (o.shape, o.dtype, o.device) for o in given(text).operands}


@pytest.mark.parametrize("name", "abcdefghijklmnopqrstuvwxy")
def test_operand_is_what_torch_makes(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    names = {"torch": torch, "nn": torch.nn, "np": numpy}
    exec(re.sub(r"^z .*\n", "", MADE, flags=re.MULTILINE), names)
    tensor = names[name]
    assert isinstance(tensor, torch.Tensor)
    there = given(f"{MADE}\nres = torch.det({name})\nRuntimeError: det() of no matrix").operands
    dtype, grad = str(tensor.dtype).removeprefix("torch."), tensor.requires_grad
    if name == "y":  # whether gradients are on is not followed
        grad = there[0].requires_grad
    where = tuple(tensor.shape), dtype, str(tensor.device)
    assert there == (Operand(name, *where, grad, tensor.is_leaf),)


@pytest.mark.parametrize(
    "code",
    [
        "x = load()\n",
        "x = torch.randn(n, 3)\n",
        "for i in range(3):\n    x = torch.randn(i, 3)\n",
        "x = torch.randn(2, 3)\nif flag:\n    x = x.t()\n",
        "torch.set_default_dtype(torch.float64)\nx = torch.randn(2, 3)\n",
        "x = torch.randn(2, 3, device=device)\n",
        "x = torch.randn(2, 3)\nx.resize_(3, 3)\n",
        "x = torch.randn(2, 3)\nx.data = y\n",
        "x = torch.randn(2, 3).view(torch.int32)\n",
        "x = torch.randn(*sizes)\n",
        "def f():\n    x = torch.randn(2, 3)\n",
    ],
)
def test_operand_that_the_code_does_not_say_is_unknown(code: str) -> None:
    assert given(f"{code}\nres = torch.det(x)\nRuntimeError: det() of no matrix") == NOTHING


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("y = x + w", APART.format(5, 3)),
        ("y = torch.mm(x, w)", "expected m1 and m2 to have the same dtype, but got: Half != Long"),
        ("y = torch.det(x)", "inverse() of no matrix"),
        ("y = torch.det(x).exp().log()", "bad input"),  # which of the three is not said
        ("y = model(x)", "bad input"),
        ("y = torch.det(x)\nw[0] = x", "bad input"),  # what is assigned to is not followed
    ],
)  # fmt: skip
def test_expression_that_the_message_is_not_about_is_left(line: str, error: str) -> None:
    code = "x = torch.randn(2, 3)\nw = torch.randn(3)\n"
    assert given(f"{code}{line}\nRuntimeError: {error}") == NOTHING


def test_line_of_a_traceback_is_the_failing_one() -> None:
    text = (
        "x = torch.randn(2)\ny = torch.vsplit(x, 2)\nx = torch.randn(4, 4)\n\n"
        'Traceback (most recent call last):\n  File "a.py", line 2, in <module>\n'
        "    y = torch.vsplit(x, 2)\nRuntimeError: torch.vsplit requires 2 dimensions"
    )
    assert known(text) == {"x": ((2,), "float32", "cpu")}


def test_function_of_the_users_has_names_of_its_own() -> None:
    text = (
        'x = torch.randn(2)\n\nTraceback (most recent call last):\n  File "a.py", line 2, in split\n'
        "    y = torch.vsplit(x, 2)\nRuntimeError: torch.vsplit requires 2 dimensions"
    )
    assert not known(text)


def test_diagnosis_names_the_operand_of_the_other_device() -> None:
    found = explain_text(
        "x = torch.randn(4, 10)\ny = torch.ones(4).long().cuda()\nloss = F.cross_entropy(x, y)\n\n"
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
        "cuda:0 and cpu!"
    )
    assert "`x` (cpu), `y` (cuda:0)" in found.diagnoses[0].hit.says
    assert found.facts is not None
    assert found.facts.tensors == ("`x` (4, 10) float32 cpu", "`y` (4,) int64 cuda:0")


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        (
            "x = torch.randn(2, 3, 4)\nnorm = nn.InstanceNorm1d(4, affine=True)\nnorm(x)",
            "weight should contain 6 elements not 8",
            "`norm` takes 4 channels, which are last in the input and not second",
        ),
        (
            "net = nn.Linear(4, 2)\nx = torch.ones(3, 4).cuda()\nnet(x)",
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
            "the weights of `net` are on cpu, its input is on cuda:0",
        ),
        (
            "net = nn.Linear(4, 2)\nx = torch.from_numpy(np.zeros((3, 4)))\nnet(x)",
            "mat1 and mat2 must have the same dtype, but got Double and Float",
            "the input of `net` is Double, but its weights are Float",
        ),
    ],
)
def test_layer_of_the_code_is_named_with_its_input(code: str, error: str, says: str) -> None:
    found = explain_text(f"{code}\n\nRuntimeError: {error}")
    assert says in str(found.diagnoses[0].hit.says)


def test_loss_knows_its_input_and_target() -> None:
    text = (
        "scores, labels = torch.randn(4, 3), torch.ones(4)\nloss = nn.CrossEntropyLoss()(scores, labels)"
        "\nRuntimeError: expected scalar type Long but found Float"
    )
    assert [o[1:3] for o in given(text).loss_inputs] == [((4, 3), "float32"), ((4,), "float32")]


def test_dimension_that_an_operator_adds_is_not_the_tensors() -> None:
    found = explain_text(
        "x = torch.randn(10, 20)\nx.unsqueeze(5)\n\nIndexError: Dimension out of range "
        "(expected to be in range of [-3, 2], but got 5)"
    )
    assert "has 2 dimensions" in str(found.diagnoses[0].hit.says)


def test_hint_at_a_batch_that_the_tensor_does_not_have_is_left_out() -> None:
    error = "RuntimeError: shape '[4, 2]' is invalid for input of size 12"
    says = explain_text(f"x = torch.randn(4, 3)\nx.view(4, 2)\n\n{error}").diagnoses[0].hit.says
    assert says == "`x` of shape (4, 3) has 12 elements, but (4, 2) has 8"
    says = explain_text(f"x = torch.randn(6, 2)\nx.view(4, 2)\n\n{error}").diagnoses[0].hit.says
    assert "the batch is larger" in says
