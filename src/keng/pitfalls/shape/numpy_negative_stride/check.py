"""Source code: a reversed NumPy array is given to torch."""

from __future__ import annotations

from keng.model import Fix, Hits, Safety
from keng.rules import finds
from keng.source import Code

TAKING = (
    "torch.from_numpy",
    "torch.tensor",
    "torch.as_tensor",
    "torch.Tensor",
    "torch.FloatTensor",
)


@finds(fixes=True)
def reversed_array_given(code: Code) -> Hits:
    for call in code.calls_to(*TAKING):
        given = code.argument(call, "data", position=0)
        array = code.resolve(call.func) == "torch.from_numpy"
        reverse = code.reversed_in(given, array) if given is not None else None
        if given is None or reverse is None:
            continue
        safety: Safety = "safe" if code.within(reverse, call) else "unsafe"
        fix = Fix("Copy it in the new order", (code.append(reverse, ".copy()"),), safety)
        text, line = code.text_of(reverse), code.line_of(reverse)
        where = "" if line == code.line_of(call) else f" on line {line}"
        yield code.hit(
            call, f"`{text}`{where} has a negative stride, which no tensor can have", fix
        )
