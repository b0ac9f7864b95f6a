"""Error messages: a repository of the Hub is not given to the user who asks."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

NOBODY = "no token came with the question: HF_TOKEN where the program runs (container, job, kernel), or hf auth login there"


NOT_LET_IN = "the user of the token has not been let in: accept the terms on the model's page, or let a fine-grained token read gated repositories"


@explains("gated")
def gated(failure: Failure) -> Hits:
    name = failure.groups.get("name")
    who = f"`{name}`" if name else "the model"
    told = failure.message + failure.surrounding
    says = "the terms on its page accepted, and the token of that user where the program runs (HF_TOKEN, or hf auth login)"
    if "403 Client Error" in told or "not in the authorized list" in told:
        says = NOT_LET_IN
    elif "401 Client Error" in told:
        says = NOBODY
    yield failure.hit(f"{who} is gated: {says}")
