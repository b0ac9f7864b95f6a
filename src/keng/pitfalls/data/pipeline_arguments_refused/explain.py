"""Error messages: an image pipeline is given what its model does not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

DIFFUSES = re.compile(r"inpaint|controlnet|pix2pix|diffusion", re.IGNORECASE)


@explains("given-twice")
def given_twice(failure: Failure) -> Hits:
    one = failure.groups["one"]
    yield failure.hit(f"`{one}` is given as text and as `{one}_embeds`: one of the two")


@explains("prompt-of-another-kind")
def prompt_of_another_kind(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(f"the prompt is a {kind}: a text, or a list of texts")


@explains("generators-too-few")
def generators_too_few(failure: Failure) -> Hits:
    n, images = failure.groups["n"], failure.groups["images"]
    yield failure.hit(
        f"{n} generators are given for {images} images, prompts times num_images_per_prompt: a list of {images}, or one generator"
    )


@explains("more-steps-than-trained")
def more_steps_than_trained(failure: Failure) -> Hits:
    came, most = failure.groups["came"], failure.groups["most"]
    yield failure.hit(
        f"{came} steps are asked for of a schedule with {most}: 20 to 50 do as a rule"
    )


@explains("unet-of-another-pipeline")
def unet_of_another_pipeline(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if "size of tensor" not in failure.message or DIFFUSES.search(failure.context):
        yield failure.hit(
            f"the UNet takes {wants} channels and this pipeline gives it {came}: a checkpoint that was trained for it, as one for inpainting, or another pipeline"
        )


@explains("prompt-too-long")
def prompt_too_long(failure: Failure) -> Hits:
    who, most = failure.groups["who"], failure.groups["most"]
    yield failure.hit(
        f"the prompt is longer than the {most} tokens that {who} reads, and its end is not seen: what counts first, and shorter"
    )


@explains("strength-is-a-share")
def strength_is_a_share(failure: Failure) -> Hits:
    yield failure.hit(
        f"strength={failure.groups['came']}, which is the share of noise that the image gets: 0.3 to 0.8 as a rule"
    )
