"""Error messages: a model is asked to generate what it cannot."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-head")
def no_head(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['model']}` has no head over the vocabulary: AutoModelForCausalLM, or ...ForConditionalGeneration"
    )


@explains("prompt-fills-it")
def prompt_fills_it(failure: Failure) -> Hits:
    what, came, most = (failure.groups[key] for key in ("what", "came", "most"))
    says = f"{what} has {came} tokens, and max_length={most} counts them too"
    yield failure.hit(f"{says}: max_new_tokens=n instead")


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model's forward takes no {failure.groups['names']}: leave it out of what is given to generate "
        "(inputs.pop(...), or input_ids and attention_mask alone)"
    )


@explains("padded-behind")
def padded_behind(failure: Failure) -> Hits:
    yield failure.hit(
        "the batch is padded behind, so the model goes on after the padding: tokenizer.padding_side = 'left'"
    )


@explains("several-of-one")
def several_of_one(failure: Failure) -> Hits:
    n = failure.groups["n"]
    yield failure.hit(
        f"the likeliest continuation is one, and {n} are asked for: do_sample=True, or num_beams={n} or more"
    )


@explains("nothing-to-begin-with")
def nothing_to_begin_with(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = "there is no token to begin with: input_ids for generate"
    yield failure.hit(f"{says}, or {name} in model.generation_config")
