"""What the operands of a text tell, in place of what a page says of many causes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from keng.explain.operands.arguments import argument_of_dtype, names_argument
from keng.explain.operands.broadcasts import not_broadcast
from keng.explain.operands.calls import (
    OperatorCall,
    calls_in,
    calls_on,
    nodes_above,
    nodes_on,
    nodes_quoted,
    operator_calls,
)
from keng.explain.operands.contradictions import contradictions, may_tell
from keng.explain.operands.disagreements import disagreement
from keng.explain.operands.kinds import MENTIONED, operand_of_a_rare_kind
from keng.explain.operands.limits import limit_broken
from keng.explain.operands.pairs import SIZES, operands_apart
from keng.explain.operands.sizes import sizes_apart
from keng.explain.operands.stated import shapes_stated
from keng.explain.ownership.paths import is_torch
from keng.explain.reading.tracebacks import Error
from keng.explain.reasons.origins import short
from keng.model import Message

LONGEST_TEXT = 20_000
OF_OPERATORS = frozenset({"RuntimeError", "NotImplementedError", "IndexError"})
ASSERTED = "INTERNAL ASSERT FAILED"
STEM = 6
"""Letters of a kind that a message has also in other forms of the word: Quantizer, quantized."""
ASKS = re.compile(
    r"\b(?:must|should|expect(?:s|ed)?|requires?|need(?:s|ed)?)\b", re.IGNORECASE
)
LACKS = re.compile(
    r"\b(?:non-?)?(?:empty|zero|positive|numel|elements?|size|length|sizes)\b|\b0\b", re.IGNORECASE
)
NUMBERS = re.compile(r"\b\d{2,9}\b")
NAMES = re.compile(r"`([\w.]+)`")


def specific_cause(
    error: Error, rest: Sequence[str], says: str = "", known: bool = False
) -> Message | None:
    """What is wrong with an operand of the failing call, by the user's line and the lines around the error.
    `says` is what the likeliest pitfall says; what already names an operand is left. `known` says that a
    pitfall explains the error, or is about the name in it. Never raises."""
    try:
        text = "\n".join(rest)[-LONGEST_TEXT:]
        stated = shapes_stated(f"{text}\n{error.message}")
        said = error.flat or text
        asked = may_tell(said) or names_argument(said) or SIZES.search(said) is not None
        calls = [*_calls(error, f"{text}\n{error.message}")] if asked else []
        unlike = disagreement(error, text, known)
        if unlike is not None:
            return unlike
        found = next(contradictions(calls, said, stated), None)
        found = found or argument_of_dtype(error, calls, error.frames)
        found = found or limit_broken(error.flat, text)
        found = found or sizes_apart(error.flat, text, stated)
        found = found or not_broadcast(error.flat, calls)
        return found or _apart(error, rest, says) or _of_a_rare_kind(error, text, known)
    except Exception:
        return None


def _apart(error: Error, rest: Sequence[str], says: str) -> Message | None:
    """The operands of the deepest line that is not torch's; without a traceback those of the line above."""
    own = [frame for frame in error.frames if not is_torch(frame.path)]
    if own:
        message, nodes, calls = error.flat, nodes_on(own[-1]), calls_on(own[-1])
    else:
        message = error.flat or "\n".join(rest)
        nodes = nodes_quoted("\n".join(rest)) or nodes_above(rest, error.line)
        calls = operator_calls(nodes)
    named = {short(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}
    derived = {*NUMBERS.findall(says)} - {*NUMBERS.findall(f"{message} {' '.join(rest[-1:])}")}
    if named.intersection(NAMES.findall(says)) or derived:
        return None  # it tells already what the message does not
    return operands_apart(message, nodes, calls)


def _of_a_rare_kind(error: Error, text: str, known: bool) -> Message | None:
    """Of an error of an operator that has no known cause, or of a failed check inside PyTorch that names the
    kind."""
    inside = ASSERTED in error.flat
    if error.kind not in OF_OPERATORS or (known and not inside) or not MENTIONED.search(text):
        return None
    own = error.frame
    calls = calls_on(own) if own is not None and own.text else [*calls_in(text)]
    found = operand_of_a_rare_kind(calls)
    if found is not None and found.id == "operand_is_empty" and _asks_otherwise(error.flat):
        return None
    named = found is not None and found.id.rpartition("_")[2][:STEM] in error.flat.lower()
    return found if named or not inside else None


def _asks_otherwise(message: str) -> bool:
    """Whether a message says what must hold, and that is nothing of elements that are missing."""
    return ASKS.search(message) is not None and LACKS.search(message) is None


def _calls(error: Error, text: str) -> Iterator[OperatorCall]:
    if error.frame is not None:
        yield from calls_on(error.frame)
    yield from calls_in(text)
