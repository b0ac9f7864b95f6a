"""Error messages: a forward ends without a return."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.torch_names import TENSOR_METHODS

ALSO = frozenset(
    {"shape", "dtype", "device", "data", "grad", "ndim", "backward", "item", "size", "dim"}
)


MODELS = (
    "model|net|network|encoder|decoder|backbone|classifier|generator|discriminator|rnn|lstm|gru|"
    "transformer|bert|policy|actor|critic|unet|resnet|cnn|mlp"
)


MAKERS = "get|build|create|make|load|init|define|prepare|setup|find|save|print|to"


CALL = rf"(?<!def )\b(?:self\.)?(?!(?:{MAKERS})_)(?:[a-zA-Z]+_)?(?:{MODELS})\d?\((?:[^()\n]|\([^()\n]*\))*\)"


USED = re.compile(
    rf"(?P<call>{CALL})(?=\.|\[)|[\w)], ?[\w(][\w, ()]* = (?P<given>{CALL})(?:[ \t]*#.*)?$",
    re.IGNORECASE,
)


@explains("nothing-came-back")
def nothing_came_back(failure: Failure) -> Hits:
    used = USED.search(failure.line.strip())
    call = (used["call"] or used["given"]) if used else ""
    silent = failure.program.types.silent_forward() if failure.program else None
    name = failure.groups.get("name")
    if silent and (call or not name or name in TENSOR_METHODS | ALSO):
        owner = silent[0]
        if call:
            yield failure.hit(say("forward-has-no-return", call=call, owner=owner))
        else:
            yield failure.hit(say("module-returned-none", owner=owner))
    elif call:
        yield failure.hit(say("call-returned-none", call=call))
