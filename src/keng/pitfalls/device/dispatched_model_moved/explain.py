"""Error messages: a model that was quantized or spread over devices as it was loaded is moved or trained as a whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("moved")
def moved(failure: Failure) -> Hits:
    says = "the model lies where it was loaded to: leave out .to() and .cuda(), and move the inputs to model.device"
    if failure.passed_through("accelerate/big_modeling.py"):
        says = "accelerate itself moves a packed model, as it is of another version than transformers: pip install -U transformers accelerate bitsandbytes"
    yield failure.hit(says)


@explains("trained-elsewhere")
def trained_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(
        'each process loads the model onto its own card: device_map={"": local_rank}; one process alone (python, not torchrun) may spread it'
    )


@explains("packed-weights-trained")
def packed_weights_trained(failure: Failure) -> Hits:
    yield failure.hit(
        "packed weights take no gradients: train an adapter beside them (get_peft_model)"
    )


@explains("no-room")
def no_room(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no room for the whole model on the card, and parts of it went to the CPU or the disk: a smaller one, "
        "fewer bits, other programs off the card, or offload_folder (llm_int8_enable_fp32_cpu_offload=True for 8 bits)"
    )


@explains("quantized-again")
def quantized_again(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights that are quantized already ({failure.groups['came']}) come to the card again and are quantized anew: no "
        ".to() or .cuda(), and no offloading to the CPU"
    )


@explains("cast")
def cast(failure: Failure) -> Hits:
    yield failure.hit(
        f"the weights that {failure.groups['kind']} packs have no other dtype: leave out .half() and .to(dtype), give "
        "torch_dtype to from_pretrained"
    )


@explains("left-out-of-the-map")
def left_out_of_the_map(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f'the device_map has no device for `{name}`: add its module, or device_map="auto"'
    )


@explains("no-such-map")
def no_such_map(failure: Failure) -> Hits:
    yield failure.hit(
        'this device_map is no word that is known: "auto", "cuda:0" or a dict of modules and devices'
    )
