"""Which of two dtypes is whose, where a message names an argument or the program a loss, and what brings
them together."""

from __future__ import annotations

import re

from keng.explain.advice.fits import WHOLE_NUMBERS, target_of_floats
from keng.explain.advice.inputs import AUTOCAST, TWO_LOW, converted, on_the_cpu
from keng.explain.failure import Failure
from keng.model import Fix, Span

ARGUMENT = re.compile(r"for argument #(?P<nth>\d) '(?P<name>target|weight|mat1|mat2)'")
LOSS = re.compile(r"binary_cross_entropy|\bBCE(?:WithLogits)?Loss\b")
FUNCTIONS = "torch/nn/functional.py"
SCORES = ("cross_entropy", "nll_loss")
Said = tuple[str, Fix | None, Span | None]
LOWER = frozenset(("half", "bfloat16"))
SHORT = {
    "float32": "float",
    "float64": "double",
    "float16": "half",
    "int64": "long",
    "int32": "int",
}
"""What Python calls a dtype -> what messages do."""

WIDE = "x.float() for what is float64, as the numbers of NumPy and pandas are"
CASTS = (
    "autocast casts on the card alone, and in no Function or extension of one's own: the whole model on it, "
    "or custom_fwd(cast_inputs=torch.float32)"
)
BLOCK = (
    "autocast casts nothing outside of its block, as in evaluation, nor on the CPU or in extensions: "
    "the forward in the block, or x.to(model.dtype)"
)
LOW_AND_HIGH = (
    "the forward, in evaluation too, under torch.autocast, or one dtype for model, adapter and input; "
    "on the CPU model.float()"
)
CHANGED = re.compile(r"[-+*/]=(?!=)|\.\w+_\(")
"""What a line does in place."""


def brought_together(failure: Failure, one: str, other: str) -> str:
    """What two operands want that have these dtypes."""
    if "self and source" in failure.message:
        return "what is written in takes the dtype of what it is written into: source.to(x.dtype)"
    kinds = {SHORT.get(kind.lower(), kind.lower()) for kind in (one, other)}
    if kinds == {"float", "double"}:
        return WIDE
    if kinds == LOWER:
        return TWO_LOW
    if kinds & LOWER and kinds <= {*LOWER, "float", "double"}:
        return _in_half_precision(failure, one.lower() == "float")
    if {one, other} == {"Long", "Int"}:
        return "labels and indices are long, x.long()"
    if one == "Long":  # of the first factor, too
        return "x.float() in a product; labels and indices are x.long()"
    if kinds & {"long", "int", "short", "byte", "bool"} and kinds & {"float", "double", *LOWER}:
        return "x.float() for the whole numbers"
    return "convert one with .to(other.dtype)"


def _in_half_precision(failure: Failure, wants_float: bool) -> str:
    if failure.shows("autocast(") or AUTOCAST.search(f"{failure.told}\n{failure.message}"):
        return CASTS if wants_float else BLOCK
    return "on the CPU the whole model in float32" if on_the_cpu(failure) else LOW_AND_HIGH


def in_a_loss(came: str, wants: str) -> str:
    """What a loss wants that gets two dtypes."""
    if wants == "Long":
        return "prediction.float()"
    if {came.lower(), wants.lower()} & LOWER:
        return "prediction.float() and target.float(), as a loss is computed in float32"
    whole = came in WHOLE_NUMBERS
    return (
        "target.float(), as NumPy's are float64"
        if came == "Double"
        else ("target.float()" if whole else "target.to(prediction.dtype)")
    )


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
        return f"the loss gets {other} with {one}: {in_a_loss(other, one)}", None, None
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
    if CHANGED.search(failure.line):
        cure = ": not in place (x = x / y, clamp() for clamp_()), or x.float() first"
    return f"{says}{cure}", None
