"""Error messages: a copy to the card is asked to be `async`, a word that Python has taken for itself."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

ASKED = re.compile(r"\.(?:cuda|cpu|to|copy_|pin_memory)\([^\n]{0,120}?\basync ?=")


@explains("keyword-of-python")
def keyword_of_python(failure: Failure) -> Hits:
    if ASKED.search(failure.line or failure.surrounding):
        yield failure.hit(
            "`async` is a word of Python since 3.7, and the argument is called `non_blocking=True`"
        )


@explains("old-names")
def old_names(failure: Failure) -> Hits:
    name = failure.groups["name"]
    new = "device" if name == "device_id" else "non_blocking"
    yield failure.hit(f"`{name}` is called `{new}` today")
