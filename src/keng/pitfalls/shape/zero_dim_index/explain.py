"""Error messages: a tensor without dimensions is indexed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SUMMED = re.compile(r"loss|err|\.data\[0\]|\.(?:sum|mean)\(\)\[", re.IGNORECASE)
"""Lines that read one number of what is one, as before 0.4."""
INDEXED = re.compile(r"([A-Za-z_][\w.]*?(?:\([^()]*\))?)(?:\.data)?\[")
"""A name, or a call of one, that is indexed."""


@explains("indexed")
def indexed(failure: Failure) -> Hits:
    names = set(INDEXED.findall(failure.line))
    name = names.pop() if len(names) == 1 else ""
    if ".squeeze()" in failure.line:
        says = say("squeeze-took-batch")
    elif not name:
        says = say("some-number-indexed")
    elif SUMMED.search(failure.line):
        says = say("number-indexed", name=name)
    else:
        says = say("number-indexed-or-squeezed", name=name)
    yield failure.hit(says)


@explains("as-an-array")
def as_an_array(failure: Failure) -> Hits:
    if ".numpy()[0]" in failure.line:
        yield failure.hit(say("array-without-dimensions"))
