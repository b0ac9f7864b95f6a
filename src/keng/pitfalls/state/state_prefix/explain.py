"""Error messages: the keys of a state dict carry the name of a wrapper."""

from __future__ import annotations

from keng.ckpt.mapping import StateErrors, in_words
from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.state._shared_explain import load_as_planned, plan_for
from keng.rules import explains


@explains("names-differ-by-a-part")
def names_differ_by_a_part(failure: Failure) -> Hits:
    errors = StateErrors.of(failure.message)
    part, owner = errors.wrapper()
    if not owner:
        part, owner = errors.wrapper_by_class(failure.message)
    if (letters := errors.cut_off) > 0:
        yield failure.hit(say("letters-were-cut-off", n=letters))
    elif owner == "file":
        plan = plan_for(failure)
        cure = f'`{{key.replace("{part}", "", 1): value for key, value in state.items()}}`'
        key = next(key for key in errors.unexpected if part in key)
        says = f"`{part}` is in the file's names, as in `{key}`: "
        says += in_words(plan) if plan.settled else cure
        yield failure.hit(says, load_as_planned(failure, plan), prefix=part)
    elif owner == "model" and part in ("module.", "_orig_mod."):
        says = (
            f"the model is wrapped, the file is not: load into `model.{part}load_state_dict(...)`"
        )
        yield failure.hit(says, prefix=part)
    elif owner == "model":
        key = next(key for key in errors.missing if part in key)
        says = f"`{part}` is in the model's names, as in `{key}`, and not in the file's"
        yield failure.hit(f"{says}: load into the part of the model that the file is of")


@explains("first-key-alone")
def first_key_alone(failure: Failure) -> Hits:
    part = failure.groups["part"]
    yield failure.hit(say("names-file-begin-those", part=part))
