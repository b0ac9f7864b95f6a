"""Error messages: a tensor without dimensions is indexed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SUMMED = re.compile(r"loss|err|\.data\[0\]|\.(?:sum|mean)\(\)\[", re.IGNORECASE)
"""Lines that read one number of what is one, as before 0.4."""


@explains("indexed")
def indexed(failure: Failure) -> Hits:
    names = set(re.findall(r"([\w.]+?)(?:\.data)?\[", failure.line))
    name = names.pop() if len(names) == 1 else "tensor"
    says = f"`{name}` has no dimensions to index; `{name}.item()` gives the number"
    if ".squeeze()" in failure.line:
        says = "squeeze() without a dimension takes that of a batch of one as well: squeeze(1), or view(-1)"
    elif not SUMMED.search(failure.line):
        says += f", or `{name}.view(-1)` keeps a dimension where squeeze() met a batch of one"
    yield failure.hit(says)


@explains("as-an-array")
def as_an_array(failure: Failure) -> Hits:
    if ".numpy()[0]" in failure.line:
        yield failure.hit(say("tensor-without-dimensions-gives"))
