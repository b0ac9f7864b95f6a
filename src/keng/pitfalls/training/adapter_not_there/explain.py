"""Error messages: an adapter is put on, chosen or merged where it cannot be."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("name-taken")
def name_taken(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"an adapter `{name}` is on the model already: another adapter_name, or delete_adapter('{name}') first"
    )


@explains("no-such-name")
def no_such_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    there = failure.groups.get("there") or failure.groups.get("among") or "others"
    yield failure.hit(
        f"no adapter `{name}` is on the model, which has {there}: load it under that name"
    )


@explains("no-rank")
def no_rank(failure: Failure) -> Hits:
    came = (failure.groups["came"] or failure.groups["last"]).strip()
    yield failure.hit(f"an adapter of rank {came} holds nothing: r of 8 or 16 in LoraConfig")


@explains("no-peft-model")
def no_peft_model(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if not kind.startswith("Peft"):
        yield failure.hit(
            f"a {kind} is the plain model, and {name} is of one that PEFT has wrapped: what get_peft_model or PeftModel.from_pretrained returns"
        )


@explains("none-for-a-server")
def none_for_a_server(failure: Failure) -> Hits:
    yield failure.hit(
        f"vLLM finds no adapter_config.json in `{failure.groups['path']}`: lora_path is the folder that save_pretrained of PEFT wrote, where vLLM runs"
    )
