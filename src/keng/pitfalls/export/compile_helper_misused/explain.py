"""Error messages: a helper of `torch.compile` is given what it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    name = failure.groups.get("name") or "mark_dynamic"
    yield failure.hit(say("takes-one-tensor-x", name=name))


@explains("no-such-option")
def no_such_option(failure: Failure) -> Hits:
    part, name = failure.groups["part"], failure.groups["name"]
    yield failure.hit(say("torch-config-version-has", name=part, name_2=name))


@explains("option-of-another-type")
def option_of_another_type(failure: Failure) -> Hits:
    name, got, wants = (failure.groups[each] for each in ("name", "got", "wants"))
    yield failure.hit(say("options-gets", got=name, wants=wants, got_2=got))
