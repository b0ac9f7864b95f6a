"""Small error texts, each of a kind: what the explanation must name."""

from __future__ import annotations

import pytest

from keng.explain.engine import explain_text
from keng.model import Explanation

NOTEBOOK = (
    "--------------------------------------------------------------------------- TypeError Traceback (most recent "
    "call last) Cell In[10], line 1 ----> 1 trainer = Trainer( 2 model=model, 3 args=args, 4 train_dataset=train, "
    "5 eval_dataset=valid, 6 processing_class=tokenizer, 7 compute_metrics=metrics, 8 ) TypeError: "
    "Trainer.__init__() got an unexpected keyword argument 'processing_class'"
)
COMPILER = r"""
C:\app\Lib\site-packages\triton\windows_utils.py:315: UserWarning: Failed to find Python libs.
  warnings.warn("Failed to find Python libs.")
C:/app/Include/Python.h:12: error: include file 'pyconfig.h' not found
"""


def explained(text: str) -> tuple[str, str, Explanation]:
    """The first pitfall, its sentence, and the whole explanation."""
    explanation = explain_text(text)
    first = explanation.diagnoses[:1]
    return (first[0].pitfall, first[0].hit.says, explanation) if first else ("", "", explanation)


def test_argument_of_a_newer_release_in_a_flattened_notebook() -> None:
    name, says, explanation = explained(NOTEBOOK)
    assert name == "library-version-mismatch"
    assert "`processing_class`" in says and "4.46" in says
    assert explanation.error.startswith("TypeError: Trainer.__init__()")
    assert explanation.place is not None and explanation.place.line == 1


def test_error_of_a_compiler_below_a_warning() -> None:
    name, says, explanation = explained(COMPILER)
    assert name == "extension-not-built"
    assert "`pyconfig.h`" in says
    assert "error: include file" in explanation.error


def test_error_quoted_in_a_sentence_and_below_it() -> None:
    name, says, _ = explained(
        'When I call fit() it raises "ValueError: Expected a parent".\n\nValueError: Expected a parent'
    )
    assert name == "invalid-trainer-options"
    assert "callbacks" in says and "logger=" in says


def test_second_error_of_a_title_is_the_cause() -> None:
    name, says, _ = explained(
        "RuntimeError: Caught RuntimeError in DataLoader worker process 0. && RuntimeError: Trying to resize storage "
        "that is not resizable"
    )
    assert name == "collate-size-mismatch"
    assert "shape" in says


def test_limit_that_the_message_states() -> None:
    _, _, explanation = explained(
        "ValueError: max_num_seqs (1024) exceeds available Mamba cache blocks (969)."
    )
    assert explanation.reason is not None
    (accepted,) = explanation.reason.accepted
    assert (accepted.bound, accepted.what, accepted.limit) == ("at_most", "max_num_seqs", "969")


@pytest.mark.parametrize("end", ["integer division or modulo by zero", "division by zero"])
def test_number_of_heads_that_divides_by_zero(end: str) -> None:
    text = f"""
Traceback (most recent call last):
  File "model.py", line 9, in <module>
    layer = nn.TransformerDecoderLayer(d_model=10, nhead=0)
  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/transformer.py", line 985, in __init__
    self.self_attn = MultiheadAttention(
  File "/opt/conda/lib/python3.11/site-packages/torch/nn/modules/activation.py", line 1086, in __init__
    self.head_dim = embed_dim // num_heads
ZeroDivisionError: {end}
"""
    _, _, explanation = explained(text)
    assert explanation.reason is not None
    assert (explanation.reason.kind, explanation.reason.about) == ("division", "num_heads")
    assert explanation.reason.values[0].text == "nhead=0"
