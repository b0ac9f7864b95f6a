"""Sizes that a library computed: no edit of the user's line can be advised."""

from __future__ import annotations

from keng.explain.engine import explain_text
from keng.model import Diagnosis, Message

RESHAPE = """Traceback (most recent call last):
  File "train.py", line 14, in <module>
    tracker.update(model(x), y)
  File "/env/lib/python3.11/site-packages/{library}/confusion.py", line 88, in _update
    return bins.reshape(num_classes, num_classes)
RuntimeError: shape '[4, 4]' is invalid for input of size 19
"""
LINEAR = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    model(x)
  File "{path}", line 30, in forward
    return self.proj(x)
  File "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x64 and 16x32)
"""


def first(text: str) -> Diagnosis:
    return explain_text(text, source=False).diagnoses[0]


def id_of(text: str) -> str:
    says = first(text).hit.says
    return says.id if isinstance(says, Message) else ""


def test_reshape_of_a_library_is_not_the_users_to_change() -> None:
    assert id_of(RESHAPE.format(library="torchmetrics")) == "library-does-not-fill"


def test_reshape_of_the_user_is() -> None:
    assert id_of(RESHAPE.format(library="torchmetrics").replace("site-packages", "work")) == (
        "does-not-fill"
    )


def test_reshape_inside_torch_is_the_users_call() -> None:
    assert id_of(RESHAPE.format(library="torch")) != "library-does-not-fill"


def test_reshape_of_a_library_is_never_certain() -> None:
    assert (
        first(RESHAPE.format(library="torchmetrics")).confidence
        < first(RESHAPE.format(library="torchmetrics").replace("site-packages", "work")).confidence
    )


def test_layer_of_a_library_is_not_to_be_rebuilt() -> None:
    library = "/env/lib/python3.11/site-packages/torch_geometric/nn/conv/gat_conv.py"
    assert id_of(LINEAR.format(path=library)) != id_of(LINEAR.format(path="/home/u/net.py"))
