"""Error messages: a trainer cannot tell which tokens of a text are to be learned."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("border-is-off")
def border_is_off(failure: Failure) -> Hits:
    yield failure.hit(
        f"prompt and {failure.groups['answer']} together begin with other tokens than the prompt alone, and the loss begins at a wrong one: no space at the end of the prompt, a template that keeps its beginning"
    )
