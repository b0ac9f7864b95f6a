"""Error messages: a device is named that there is not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.device_names import no_device, of_another_build


@explains("no-such-name")
def no_such_name(failure: Failure) -> Hits:
    yield failure.hit(no_device(failure.groups["name"]))


@explains("no-such-number")
def no_such_number(failure: Failure) -> Hits:
    yield failure.hit(
        "a card of that number is not seen: they count from 0 after CUDA_VISIBLE_DEVICES"
    )


@explains("not-of-this-build")
def not_of_this_build(failure: Failure) -> Hits:
    yield failure.hit(of_another_build((failure.groups["kind"] or failure.groups["other"]).upper()))


@explains("counted-before-they-changed")
def counted_before_they_changed(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    which = (
        f"card {card} is used, and CUDA knows {there}, fewer" if there else "CUDA knows fewer cards"
    )
    yield failure.hit(
        f"{which} than were counted: set CUDA_VISIBLE_DEVICES before torch is imported; else a card has failed"
    )


@explains("more-cards-than-there-are")
def more_cards_than_there_are(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"] or "fewer"
    yield failure.hit(
        f"the trainer is to use the cards {wants}, and {has} are seen: fewer `devices`, or CUDA_VISIBLE_DEVICES"
    )


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    kind, device = failure.groups["kind"], failure.groups["device"]
    yield failure.hit(
        f"a function for {kind} devices is asked about {device}: leave it out there, or torch.accelerator has its like"
    )


@explains("not-under-autocast")
def not_under_autocast(failure: Failure) -> Hits:
    yield failure.hit(
        f"autocast of this PyTorch does not know {failure.groups['device']}: a newer one, or without autocast there"
    )
