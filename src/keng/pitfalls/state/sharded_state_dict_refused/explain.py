"""Error messages: a state dict of a sharded model is taken, saved or loaded in a way that it does not have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-an-inner-part")
def of_an_inner_part(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is a flat parameter of a part: the state dict is asked of the outermost FSDP model"
    )


@explains("two-keys-become-one")
def two_keys_become_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"two entries become `{failure.groups['name']}` when their keys are joined by dots: rename one of them"
    )


@explains("groups-were-others")
def groups_were_others(failure: Failure) -> Hits:
    name, key, one, other = (failure.groups[key] for key in ("name", "key", "one", "other"))
    yield failure.hit(
        f"`{name}` was saved with {key}={one} and others of its group with {other}: the optimizer is made with the groups that it had then"
    )


@explains("saving-process-died")
def saving_process_died(failure: Failure) -> Hits:
    yield failure.hit(
        f"the background process that writes the checkpoint ended with {failure.groups['code']} (-9: killed, most often as the memory of the "
        "machine was full; else see its own error)"
    )


@explains("config-of-another-type")
def config_of_another_type(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"state_dict_type asks for {wants}, and {came} comes: the config of the same kind, or the other StateDictType"
    )


@explains("whole-numbers-in-one-file")
def whole_numbers_in_one_file(failure: Failure) -> Hits:
    """The pieces are written by then, and the error names none of them."""
    if (
        failure.passed_through("_consolidate_hf_safetensors.py")
        or "_consolidate_hf" in failure.message
    ):
        yield failure.hit(
            "the pieces are written, and whole numbers or masks among them keep torch from making one file of them: "
            "`keng ckpt convert FOLDER model.safetensors` does, or save without enable_consolidation"
        )
