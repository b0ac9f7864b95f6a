"""Which of two dtypes is whose, where a message names an argument or the program a loss."""

from __future__ import annotations

import re

from keng.failures import Failure
from keng.failures.fits import WHOLE_NUMBERS, target_of_floats
from keng.failures.inputs import converted
from keng.model import Fix, Span

ARGUMENT = re.compile(r"for argument #(?P<nth>\d) '(?P<name>target|weight|mat1|mat2)'")
LOSS = re.compile(r"binary_cross_entropy|\bBCE(?:WithLogits)?Loss\b")
FUNCTIONS = "torch/nn/functional.py"
SCORES = ("cross_entropy", "nll_loss")
Said = tuple[str, Fix | None, Span | None]


def of_an_argument(failure: Failure, one: str, other: str) -> Said | None:
    """Before torch 1.5 a message told the dtype that is wanted, the one that came, and the name of the
    argument in C++: `mat1` is the input of a linear layer, `mat2` there and a second argument `weight` are
    its weights, a third one is what the classes weigh in a loss."""
    found = ARGUMENT.search(failure.message)
    name, nth = (found["name"], found["nth"]) if found is not None else ("", "")
    floats = {one, other}.isdisjoint(WHOLE_NUMBERS)
    if name == "target" and other in WHOLE_NUMBERS and one not in WHOLE_NUMBERS:
        return *target_of_floats(failure, other), None
    if name == "target" and floats:
        return f"the loss gets {other} with {one}: target.to(prediction.dtype)", None, None
    scored = nth == "3" if not failure.frames else failure.frames[-1].function in SCORES
    scored = scored and (not failure.frames or failure.raised_in.endswith(FUNCTIONS))
    if one not in WHOLE_NUMBERS and scored and (name == "weight" or not name):
        cure = "weight.to(scores.dtype)"
        return f"the weights of the classes are {other}, the scores {one}: {cure}", None, None
    if name in ("mat1", "weight") or (name == "mat2" and failure.in_layer("Linear")):
        came, wants = (other, one) if name == "mat1" else (one, other)
        thing = f"the input of {failure.layer}" if failure.called else "the input"
        cure, fix, place = converted(failure, wants)
        return f"{thing} is {came}, its weights are {wants}: {cure}", fix, place
    return None


def of_a_result(failure: Failure, one: str, other: str) -> tuple[str, Fix | None]:
    """What a result that its tensor cannot hold was to be written into: in a binary loss its target."""
    called = any("binary_cross_entropy" in frame.function for frame in failure.frames)
    if called or LOSS.search(f"{failure.line}\n{failure.message}\n{failure.told}"):
        return target_of_floats(failure, other)
    whole = [f"`{o.name}`" for o in failure.live.operands if o.dtype.startswith(("int", "uint"))]
    name = whole[0] if len(whole) == 1 else "a tensor"
    says = f"a {one} result is to be written into {name}, which is {other}"
    unseen = not failure.frames and other in ("Long", "Int")
    cure = ", as labels in BCEWithLogitsLoss are: .float()" if unseen else ": convert it"
    return f"{says}{cure}", None
