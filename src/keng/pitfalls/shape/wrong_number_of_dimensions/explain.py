"""Error messages: a function gets a tensor of another number of dimensions than it takes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

MATRICES = "x.mT of a batch of matrices, x.flatten(0, -2) to rows of one"


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    what = failure.groups.get("what", "").removeprefix("tensor.") or "the layer"
    wants, came = failure.groups["wants"].replace("D", ""), failure.groups["came"]
    says = f"{what} takes {wants} dimensions, and gets {came}"
    least = re.search(r"\d", wants)
    cure = "x.unsqueeze(0) adds one" if int(came) < int(least[0] if least else 2) else MATRICES
    yield failure.hit(f"{says}: {cure}")
