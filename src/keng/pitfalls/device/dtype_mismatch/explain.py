"""Error messages: tensors of different dtypes meet where PyTorch does not convert."""

from __future__ import annotations

from keng.explain.advice.clip import halved_by_clip
from keng.explain.advice.dtypes import brought_together, in_a_loss, of_a_result, of_an_argument
from keng.explain.advice.inputs import converted
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.legacy_dtypes import differ_in_dtype


@explains("input-and-weights")
def input_and_weights(failure: Failure) -> Hits:
    came, wants = failure.groups.get("came", ""), failure.groups.get("wants", "")
    name = f"the input of {failure.layer}" if failure.called else "the input"
    if (clip := halved_by_clip(failure)) or came == wants or "self and mat2" in failure.message:
        added = f"{came} is added to a product of {wants}: bias.to(x.dtype)"
        if wants in ("Byte", "Char"):
            added = f"the weights are {wants}, packed ones as of 4 or 8 bits: only layers of the library that packed them unpack them"
        neither = "input and weights differ in dtype: x.float() for float32 weights"
        yield failure.hit(clip or (neither if came == wants else added))
        return
    cure, fix, place = converted(failure, wants)
    says = f"{name} is {came}, its weights are {wants}: {cure}"
    yield failure.hit(says, fix, place, came=came, wants=wants)


@explains("two-operands")
def two_operands(failure: Failure) -> Hits:
    one, there = failure.groups["one"], {o.name: o.dtype for o in failure.live.operands}
    if (named := of_an_argument(failure, one, failure.groups["other"])) is not None:
        yield failure.hit(*named)
        return
    floats = {name: dtype for name, dtype in there.items() if "float" in dtype}
    there = floats if len(set(floats.values())) > 1 else there  # integers are indices then
    says = f"two dtypes meet, {one} and {failure.groups['other']}"
    if len(set(there.values())) > 1:
        says = " and ".join(f"`{name}` is {dtype}" for name, dtype in there.items())
    cure = brought_together(failure, one, failure.groups["other"])
    says = halved_by_clip(failure) or f"{says}: {cure}"
    yield failure.hit(says, sure=one != "Long")


@explains("told-by-a-list-of-types")
def told_by_a_list_of_types(failure: Failure) -> Hits:
    if differ_in_dtype(failure.message):
        yield failure.hit("the call has a form for another dtype, which stands after `expected`")


@explains("loss-of-two-dtypes")
def loss_of_two_dtypes(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"the loss gets {came} with {wants}: {in_a_loss(came, wants)}")


@explains("result-that-does-not-fit")
def result_that_does_not_fit(failure: Failure) -> Hits:
    yield failure.hit(*of_a_result(failure, failure.groups["one"], failure.groups["other"]))


@explains("written-into")
def written_into(failure: Failure) -> Hits:
    sizes = " ({other} into {one})".format(**failure.groups) if failure.groups.get("one") else ""
    says = f"what is written is of another dtype than the tensor{sizes}: source.to(x.dtype)"
    yield failure.hit(says)


@explains("one-for-all")
def one_for_all(failure: Failure) -> Hits:
    one, other = (failure.groups.get(key, "") for key in ("one", "other"))
    says = "one dtype is wanted for all: x.to(other.dtype), or one torch_dtype for the whole model"
    if failure.groups.get("cpu"):
        says = "on the CPU the weights of a normalization are float32, or of the dtype of its input: model.float(), or one torch_dtype for all"
    elif one and other:
        says = f"two dtypes meet, {one} and {other}: {brought_together(failure, one, other)}"
    yield failure.hit(says)
