"""The user's expression for the argument that a message of torch names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from keng._util.texts import sentence
from keng.explain.frame import Frame
from keng.explain.operands.calls import OperatorCall, calls_on
from keng.explain.reading.tracebacks import Error
from keng.explain.reasons.levels import of_frames
from keng.explain.reasons.origins import short
from keng.explain.reasons.source import Sources
from keng.model import Message, Reason, Span, Traced

NAMED = re.compile(
    r"(?:\b(?P<function>\w+)\(\): )?argument (?:for argument )?(?:#\d+ )?['`]?(?P<name>\w+)\b"
    r"|\bfor `?(?P<of>\w+)`? but got"
)
"""`embedding(): argument 'indices' (position 2)`, `for argument #2 'mat2'`, `for end but got`."""

CALLED = re.compile(
    r"in call to _?(?:th_)?(?P<called>\w+)|in method wrapper_(?:\w+?__)?(?P<method>\w+)"
    r"|checking arguments for (?P<checked>\w+)"
)
DTYPE = re.compile(
    r"\b(?:c10::|torch\.)?(?:cuda\.)?(BFloat16|Half|Float|Double|Long|Int|Short|Byte|Bool|float|double|half|long|int)"
    r"(?:Tensor)?\b"
)
CASTS = {"half": "half", "float": "float", "double": "double", "long": "long", "int": "int"}
BY_LAYERS = {
    "loss.py": ("input", "target"),
    "sparse.py": ("indices",),
    "linear.py": ("mat1",),
    "conv.py": ("input",),
}
"""A file of torch.nn.modules -> what the operator calls the arguments that the layer is given."""

ALIKE = {"self": "input", "input": "self", "index": "indices", "tensor": "input"}
LAYER_CALLS = re.compile(r"/torch/nn/modules/(?P<file>\w+\.py)$")


def named_argument(message: str, frames: Sequence[Frame]) -> Reason | None:
    """A reason of the kind "operand": the argument that the message names and the user's expression for it.
    None where the user's line has no single call that takes it."""
    user = next((n for n in reversed(range(len(frames))) if frames[n].user), None)
    named = _named(message)
    if user is None or named is None:
        return None
    name, function = named
    given = list(_of_layer(name, frames, user)) or list(_given(name, function, frames[user]))
    if len({short(each) for each in given}) != 1:
        return None
    text, frame = short(given[0]), frames[user]
    if text == name or isinstance(given[0], ast.Constant | ast.Starred):
        return None
    where = Span(frame.path, frame.line)
    value = Traced(name, "", text, where, "argument", name)
    by = next((each.name for each in calls_on(frame)), function)
    return Reason("operand", function or by, where, about=name, values=(value,))


def _named(message: str) -> tuple[str, str] | None:
    """The argument that a message names, and the operator, if it says which."""
    found = NAMED.search(message)
    if found is None:
        return None
    called = CALLED.search(message)
    function = found["function"] or (called[called.lastgroup or 0] if called is not None else "")
    return found["name"] or found["of"], function


def argument_of_dtype(
    error: Error, calls: Sequence[OperatorCall], frames: Sequence[Frame]
) -> Message | None:
    """The user's expression whose dtype an operator does not take, and its conversion. The message says the
    dtype that is wanted first and the one that came last."""
    named, dtypes = _named(error.flat), DTYPE.findall(error.flat)
    if named is None or len({each.lower() for each in dtypes}) != 2:
        return None
    user = next((n for n in reversed(range(len(frames))) if frames[n].user), None)
    given = list(_of_layer(named[0], frames, user)) if user is not None else []
    bound = [call.arguments() for call in calls]
    names = (named[0], ALIKE.get(named[0], named[0]))
    given = given or [each[name] for each in bound for name in names if name in each]
    wants, came = dtypes[0], dtypes[-1]
    if len({short(each) for each in given}) != 1 or wants.lower() not in CASTS:
        return None
    if not isinstance(given[0], ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return None
    text = short(given[0])
    form = f"{text}.{CASTS[wants.lower()]}()"
    return sentence("operand_of_dtype", name=text, came=came, wants=wants, form=form)


def _given(name: str, function: str, frame: Frame) -> Iterator[ast.expr]:
    """What the calls of the line give for an argument, those of the function that the message names."""
    calls = calls_on(frame)
    same = [each for each in calls if function.strip("_") in (each.name, each.name.strip("_"))]
    for call in same or ([] if function else calls):
        arguments = call.arguments()
        found = arguments.get(name) or arguments.get(ALIKE.get(name, name))
        if found is not None:
            yield found


def _of_layer(name: str, frames: Sequence[Frame], user: int) -> Iterator[ast.expr]:
    """What the only call of the user's line gives to a layer or loss of torch.nn."""
    homes = [found["file"] for f in frames[user + 1 :] if (found := LAYER_CALLS.search(f.posix))]
    names = next((BY_LAYERS[file] for file in homes if file in BY_LAYERS), ())
    asked = name if name in names else ALIKE.get(name, name)
    if asked not in names:
        return
    nodes = of_frames([frames[user]], Sources())[0].nodes()
    calls = [n for n in nodes if isinstance(n, ast.Call) and len(n.args) == len(names)]
    if len(calls) == 1 and not calls[0].keywords:
        yield calls[0].args[names.index(asked)]
