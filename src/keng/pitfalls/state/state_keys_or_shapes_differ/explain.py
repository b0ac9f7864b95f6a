"""Error messages: a state dict does not fit the model it is loaded into."""

from __future__ import annotations

import re

from keng.ckpt.mapping import Plan, in_numbers, in_words, of_another_head
from keng.explain.advice.loaded import is_state_of_file, no_state_dict, without_entry
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.state_names import NESTINGS

OF_A_FILE = r"torch\.load\(|\b(?:checkpoint|ckpt|state_dict)\w*\[|load_(?:checkpoint|model)\w*: "


@explains("names-or-shapes-differ")
def names_or_shapes_differ(failure: Failure) -> Hits:
    errors, plan = failure.state_errors, failure.plan
    inside = next((key for key in NESTINGS if key in errors.unexpected), "")
    fix = failure.loaded_as(plan) if plan.settled else None
    if fix:
        says = in_words(plan)
    elif inside:
        says = f'the weights are one level deeper, in ["{inside}"]: load that entry'
    else:
        says = (
            _in_other_form(plan) or of_another_head(errors) or in_numbers(errors, failure.message)
        )
    lacks, more = len(errors.missing), len(errors.unexpected)
    yield failure.hit(says, fix, missing=lacks, unexpected=more, shapes=len(errors.shapes))


def _in_other_form(plan: Plan) -> str:
    """What one change of the whole explains."""
    empty = [each for each in plan.missing if each.why == "sharded"]
    if plan.variant:
        says = f"the file is of another variant: {plan.variant}, in {len(plan.missing)} entries"
        return f"{says}; build the model in that size"
    if likely := plan.likely:
        says = f"`{likely.old}` of the file may be `{likely.new}` of the model: rename it where the shapes agree"
        return f"{says}, and leave out a head of another number of classes"
    if empty:
        return f"`{empty[0].name}` is empty in the file, as ZeRO-3 saves it: `keng ckpt convert FOLDER OUT` joins DeepSpeed's shards"
    return ""


@explains("no-such-entry")
def no_such_entry(failure: Failure) -> Hits:
    last = " ".join(f"{frame.function}: {frame.text}" for frame in failure.frames[-1:])
    shown = last or f"{failure.message}\n{failure.around}"
    of_a_file = re.search(OF_A_FILE, shown) or is_state_of_file(failure, last)
    if failure.kind == "KeyError" and (of_a_file or failure.groups.get("sure")):
        key = failure.groups.get("key") or failure.groups["short"].strip("'")
        yield failure.hit(*without_entry(failure, key))


@explains("no-dict")
def no_dict(failure: Failure) -> Hits:
    yield failure.hit(no_state_dict(failure.groups["kind"].rpartition(".")[2]))
