"""Source code: what `load_state_dict(strict=False)` did not load is not looked at."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Kind, Value


@finds
def answer_dropped(code: Code) -> Hits:
    for call in code.method_calls("load_state_dict"):
        lax = code.is_constant(code.argument(call, "strict", position=1), False)
        if not lax or not (code.result_unused(call) or code.never_read(call)):
            continue
        model, state = code.receiver(call), code.argument(call, "state_dict", position=0)
        # What takes `strict` and is of no known kind is a module: optimizers know no such argument.
        known = code.value_of(model)
        module = known.kind is Kind.MODULE or known == Value()
        if not module or code.picked_by_hand(state):
            continue
        says = f"nobody sees what of `{code.text_of(model)}` was not loaded"
        yield code.hit(call, says, sure=known.kind is Kind.MODULE)
