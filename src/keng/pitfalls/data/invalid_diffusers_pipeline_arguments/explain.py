"""Error messages: an image pipeline is given what its model does not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

DIFFUSES = re.compile(r"inpaint|controlnet|pix2pix|diffusion", re.IGNORECASE)


@explains("prompt-of-another-kind")
def prompt_of_another_kind(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(say("prompt-text-or-list", kind=kind))


@explains("generators-too-few")
def generators_too_few(failure: Failure) -> Hits:
    n, images = failure.groups["n"], failure.groups["images"]
    yield failure.hit(say("generators-given-images-prompts", images=n, images_2=images))


@explains("more-steps-than-trained")
def more_steps_than_trained(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    yield failure.hit(say("steps-asked-schedule-do", most=came, most_2=most))


@explains("unet-of-another-pipeline")
def unet_of_another_pipeline(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if "size of tensor" not in failure.message or DIFFUSES.search(failure.context):
        yield failure.hit(say("unet-takes-channels-pipeline", came=wants, came_2=came))


@explains("prompt-too-long")
def prompt_too_long(failure: Failure) -> Hits:
    who, most = failure.groups["who"], failure.groups["most"]
    yield failure.hit(say("prompt-longer-than-tokens", who=most, who_2=who))
