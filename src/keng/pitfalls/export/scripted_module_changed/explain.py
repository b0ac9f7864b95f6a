"""Error messages: a scripted or traced module is changed, frozen or compiled in a way that it does not allow."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("settled")
def settled(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is settled once a model is scripted: change the model before"
    )


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"a scripted model has no {failure.groups['what']}: call it on the model before it is scripted"
    )


@explains("size-not-known")
def size_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` does not know its sizes yet: one batch through the model, then script it"
    )
