"""Error messages: a state dict of a sharded model is taken, saved or loaded in a way that it does not have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("groups-were-others")
def groups_were_others(failure: Failure) -> Hits:
    name, key, one, other = (failure.groups[key] for key in ("name", "key", "one", "other"))
    yield failure.hit(say("was-saved-others-group", other=name, key=key, one=one, other_2=other))


@explains("config-of-another-type")
def config_of_another_type(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("state-dict-type-asks", came=wants, came_2=came))


@explains("whole-numbers-in-one-file")
def whole_numbers_in_one_file(failure: Failure) -> Hits:
    """The pieces are written by then, and the error names none of them."""
    if (
        failure.passed_through("_consolidate_hf_safetensors.py")
        or "_consolidate_hf" in failure.message
    ):
        yield failure.hit(say("pieces-written-whole-numbers"))
