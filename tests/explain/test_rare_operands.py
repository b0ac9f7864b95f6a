"""Operands of a kind that few operations accept, as pasted code makes them."""

from __future__ import annotations

import pytest

from keng.explain.engine import explain_text

UNKNOWN = "RuntimeError: the frobnication of this operand went astray"
ASSERTED = (
    'RuntimeError: false INTERNAL ASSERT FAILED at "../aten/src/ATen/{file}":444, '
    "please report a bug to PyTorch."
)
QUANTIZED = """
x = torch.quantize_per_tensor(y, scale=1.0, zero_point=0, dtype=torch.quint8)
z = torch.quantile(x, 0.5)
"""


def note(code: str, error: str = UNKNOWN) -> str:
    return str(explain_text(f"{code}\n\n{error}\n").note)


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("torch.sparse_coo_tensor(places, values, (2, 3))", "sparse"),
        ("torch.randn(2, 3).to_sparse().cuda()", "sparse"),
        ("torch.quantize_per_tensor(y, scale=1.0, zero_point=0, dtype=torch.quint8)", "quantized"),
        ("torch.zeros(2, 3, dtype=torch.complex64)", "complex"),
        ("torch.view_as_complex(pairs)", "complex"),
        ("torch.nested.nested_tensor([a, b])", "nested"),
    ],
)
def test_operand_of_a_rare_kind_is_named(made: str, kind: str) -> None:
    assert note(f"x = {made}\nz = torch.quantile(x, 0.5)").startswith(f"`x` is a {kind} tensor")


@pytest.mark.parametrize("made", ["torch.randn(3, 0, 2)", "torch.tensor([])"])
def test_empty_operand_is_named(made: str) -> None:
    assert note(f"x = {made}\nz = torch.quantile(x, 0.5)").startswith("`x` has no elements")


def test_empty_operand_is_no_guess_where_the_message_asks_for_something_else() -> None:
    code = "x = torch.randn(5, 0)\nz = torch.ormqr(x, tau, other)"
    error = "RuntimeError: torch.ormqr: tau.shape[-1] must be equal to min(other.shape[-2])"
    assert "no elements" not in note(code, error)
    assert "no elements" in note(code, "RuntimeError: ormqr: input must be non-empty in a batch")


@pytest.mark.parametrize(
    "made",
    [
        "torch.randn(2, 3)",
        "torch.sparse_coo_tensor(places, values, (2, 3)).to_dense()",
        "torch.view_as_complex(pairs).abs()",
        "load(0)",
    ],
)
def test_plain_or_unknown_operand_is_not_named(made: str) -> None:
    assert "operations accept" not in note(f"x = {made}\nz = torch.quantile(x, 0.5)")


def test_operand_of_an_earlier_line_is_not_named() -> None:
    code = "x = torch.randn(2, 3).to_sparse()\ny = torch.randn(2, 3)\nz = torch.quantile(y, 0.5)"
    assert "sparse" not in note(code)


def test_operands_of_two_rare_kinds_are_not_named() -> None:
    made = "x = torch.randn(2, 3).to_sparse()\ny = torch.zeros(2, dtype=torch.cfloat)"
    assert "operations accept" not in note(f"{made}\nz = torch.mm(x, y)")


@pytest.mark.parametrize(
    ("file", "named"), [("quantized/Quantizer.cpp", True), ("core/Loop.cpp", False)]
)
def test_failed_check_names_the_kind_that_its_file_is_about(file: str, named: bool) -> None:
    explanation = explain_text(f"{QUANTIZED}\n{ASSERTED.format(file=file)}\n")
    assert ("quantized tensor" in explanation.diagnoses[0].hit.says) == named
