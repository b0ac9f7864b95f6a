"""Error messages: `Tensor.cuda(async=True)` is a syntax error since Python 3.7."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ASKED = re.compile(r"\.(?:cuda|cpu|to|copy_|pin_memory)\([^\n]{0,120}?\basync ?=")


@explains("keyword-of-python")
def keyword_of_python(failure: Failure) -> Hits:
    if ASKED.search(failure.line or failure.surrounding):
        yield failure.hit(say("word-python-since-argument"))


@explains("old-names")
def old_names(failure: Failure) -> Hits:
    name = failure.groups["name"]
    new = "device" if name == "device_id" else "non_blocking"
    yield failure.hit(say("called-today", new=name, new_2=new))
