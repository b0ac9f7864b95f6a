"""Error messages: what is loaded was compiled for another processor or Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("other-processor")
def other_processor(failure: Failure) -> Hits:
    has, needs = failure.groups.get("has"), failure.groups.get("needs")
    kinds = (
        f"for {has}, and this Python runs as {needs}" if has else "for another kind of processor"
    )
    yield failure.hit(
        f"what is installed is compiled {kinds}: a Python for this processor in a fresh environment, and the packages anew"
    )


@explains("other-python")
def other_python(failure: Failure) -> Hits:
    yield failure.hit(
        f"PyTorch was compiled for another Python, as this one has no `{failure.groups['name']}`: install it with the Python that runs, and no other copy in LD_LIBRARY_PATH"
    )
