"""Error messages: a kernel is started on another card than its tensors, or with a tensor of the CPU."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("pointer-out-of-reach")
def pointer_out_of_reach(failure: Failure) -> Hits:
    number = failure.groups["argument"]
    which = f"argument {number} of" if number else "an argument of"
    yield failure.hit(
        f"{which} the Triton kernel lies on the CPU, or on another card than the current one: torch.cuda.set_device, or "
        "`with torch.cuda.device(x.device):`"
    )


@explains("checked-by-an-extension")
def checked_by_an_extension(failure: Failure) -> Hits:
    what, to_the_cpu = failure.groups["what"], failure.groups.get("device") == "CPU"
    here, there, move = ("card", "the CPU", "cpu") if to_the_cpu else ("CPU", "a card", "cuda")
    name = "" if what[0].isupper() else what
    yield failure.hit(
        f"{f'`{name}`' if name else 'a tensor'} lies on the {here}, and what is compiled here takes it on {there} alone: "
        f"{name}.{move}(), with all that it is given"
    )


@explains("not-all-on-one-card")
def not_all_on_one_card(failure: Failure) -> Hits:
    yield failure.hit(say("one-lies-on-cpu", names=failure.groups["what"]))


@explains("compiled-for-cards-alone")
def compiled_for_cards_alone(failure: Failure) -> Hits:
    what = f"`{name}`" if (name := failure.groups.get("name")) else "the operator"
    if failure.kind == "RuntimeError" or name:  # C++ raises no other
        yield failure.hit(
            f"{what} has no form for the CPU, where its tensors lie: model and inputs .cuda(), or what does the same in plain PyTorch"
        )
