"""Error messages: an adapter is configured by options that exclude each other, or that its layers do not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-such-start")
def no_such_start(failure: Failure) -> Hits:
    yield failure.hit(
        f"no way to begin is called {failure.groups['came']}: init_lora_weights of True, 'gaussian', 'pissa' or 'olora'"
    )


@explains("of-no-kind")
def of_no_kind(failure: Failure) -> Hits:
    if "/peft/" in failure.raised_in or re.search("peft", failure.message, re.IGNORECASE):
        yield failure.hit(
            "`peft_type` is not said in adapter_config.json: it was saved of a plain PeftConfig, or by another program; LoraConfig says it"
        )


@explains("no-such-bias")
def no_such_bias(failure: Failure) -> Hits:
    yield failure.hit(
        f"bias={failure.groups['came']} is none of its words: 'none', 'all' or 'lora_only'"
    )


@explains("rank-not-shared")
def rank_not_shared(failure: Failure) -> Hits:
    kind, groups, rank = (failure.groups[key] for key in ("kind", "groups", "rank"))
    yield failure.hit(
        f"rank {rank} is not divided by the {groups} groups of a {kind}: a multiple of {groups}, or leave it out of target_modules"
    )


@explains("experts-take-less")
def experts_take_less(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"a parameter is adapted, as of experts in one tensor or by target_parameters, which goes without {what}: leave it out, lora_dropout=0.0"
    )


@explains("no-such-task")
def no_such_task(failure: Failure) -> Hits:
    came, known = failure.groups["came"], failure.groups["known"]
    yield failure.hit(f"task_type={came} is none that PEFT knows: {known}, or left out")


@explains("of-another-task")
def of_another_task(failure: Failure) -> Hits:
    wants, asked = failure.groups["wants"], failure.groups["asked"]
    yield failure.hit(
        f"the adapter was trained as {wants}, and Auto{asked} is asked to load it: Auto{wants}.from_pretrained"
    )
