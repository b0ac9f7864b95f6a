"""Error messages: a part of the model is kept off the card and fetched when it runs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("fetched-in-each-pass")
def fetched_in_each_pass(failure: Failure) -> Hits:
    where = failure.groups["where"]
    yield failure.hit(
        f"a part of the model lies on the {where}, as a rule because the card is full, and each pass fetches it: right and slow; fewer bits or a smaller model fits whole"
    )


@explains("buffers-do-not-fit")
def buffers_do_not_fit(failure: Failure) -> Hits:
    size = int(failure.groups["size"]) >> 20
    yield failure.hit(
        f"the buffers of the layers off the card take {size} MB on it, which are not free: offload_buffers=True, or a smaller max_memory for the card"
    )


@explains("names-of-another-model")
def names_of_another_model(failure: Failure) -> Hits:
    names = failure.groups["names"][:120]
    yield failure.hit(
        f'the device_map names {names}, which this model has not: names out of model.named_modules(), or "auto"'
    )


@explains("key-of-another-kind")
def key_of_another_kind(failure: Failure) -> Hits:
    key = failure.groups["key"]
    yield failure.hit(
        f'max_memory has the key \'{key}\', and a card is a number there: {{0: "20GiB", "cpu": "60GiB"}}'
    )


@explains("no-such-card")
def no_such_card(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    yield failure.hit(
        f"max_memory names card {card}, and the program sees {there}: see CUDA_VISIBLE_DEVICES, which counts them anew"
    )
