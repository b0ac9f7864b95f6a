"""Error messages: a setting of torch is given a word or number that it does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("computes-as-before")
def computes_as_before(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['came']}` is no precision, and products are computed as before: 'high' for TF32, 'medium' for bfloat16, 'highest' for neither"
    )


@explains("no-such-word")
def no_such_word(failure: Failure) -> Hits:
    known = failure.groups["known"].replace("`", "").replace("'", "")
    yield failure.hit(f"`{failure.groups['came']}` is no word of this setting, which has {known}")


@explains("no-condition")
def no_condition(failure: Failure) -> Hits:
    cure = "bool(...) around it"
    if failure.groups["tensor"]:
        cure = "`torch._check_tensor_all`, or bool(...) around one number"
    yield failure.hit(f"torch._check takes True or False of Python's: {cure}")
