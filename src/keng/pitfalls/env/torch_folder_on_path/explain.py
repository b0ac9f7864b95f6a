"""Error messages: python looks for its own modules in the folder of torch."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("found-in-torch")
def found_in_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"torch's own {name}.py is imported in place of Python's: the program starts in the folder of torch, or sys.path names it"
    )
