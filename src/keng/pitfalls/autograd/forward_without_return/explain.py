"""Error messages: a forward ends without a return."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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
    silent = failure.program.types.silent_forward() if failure.program else None
    what = (
        f"`{used['call'] or used['given']}` is None" if used else "what a module returned is None"
    )
    if silent and (
        used or not failure.groups.get("name") or failure.groups["name"] in TENSOR_METHODS | ALSO
    ):
        yield failure.hit(f"{what}: the forward of `{silent[0]}` has no return")
    elif used:
        yield failure.hit(
            f"{what}: the forward that it calls has no return, or none on this way through it"
        )
