"""Error messages: a mask for attention is of a dtype that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

WHOLE = ("long int", "int", "short int", "unsigned char", "signed char")
"""Whole numbers, as C++ calls their types."""


@explains("neither-bools-nor-as-the-query")
def neither_bools_nor_as_the_query(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("c10::")
    says, fix = "the query's dtype, mask.to(query.dtype)", None
    if came in WHOLE:
        says, fix = "bools where it marks places, mask.bool()", failure.mended("mask_as_bool")
    yield failure.hit(f"the mask holds {came}, and attention takes {says}", fix)
