"""Error messages: a text holds another number of image placeholders than its pictures give."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FEW = 16
"""Pictures in a text, and tokens beside those of the patches, at most."""


@explains("places-for-features")
def places_for_features(failure: Failure) -> Hits:
    tokens, features = int(failure.groups["tokens"]), failure.groups.get("features")
    meet = (
        f"{tokens} places for {features} features"
        if features
        else f"{tokens} places, and not the number of images"
    )
    cure = "the text has lost some: no truncation, a processor of the model's version"
    apart = int(features) - tokens if features else 0
    if not tokens:
        cure = "put the placeholder into the text, by apply_chat_template or <image>"
    elif not features:
        cure = "one placeholder for each picture, which the processor repeats"
    elif apart > FEW and tokens <= FEW:
        cure = "the placeholder stands there as it was written: the processor repeats it, given text and images together, with the model's patch_size and vision_feature_select_strategy"
    elif 0 < abs(apart) <= FEW:
        cure = "counted otherwise: patch_size, vision_feature_select_strategy and num_additional_image_tokens of the processor as in the model's config"
    yield failure.hit(f"the text keeps {meet}: {cure}")


@explains("places-for-inputs")
def places_for_inputs(failure: Failure) -> Hits:
    n, token, came = (failure.groups[key] for key in ("n", "token", "came"))
    yield failure.hit(say("text-keeps-places-come", came=n, token=token, came_2=came))


@explains("places-cut-off")
def places_cut_off(failure: Failure) -> Hits:
    kind, left, n = (failure.groups[key] for key in ("kind", "left", "n"))
    yield failure.hit(say("places-features-text-left", left=n, kind=kind, left_2=left))


@explains("pictures-cut-off")
def pictures_cut_off(failure: Failure) -> Hits:
    yield failure.hit(say("max-length-cuts-places", most=failure.groups["most"]))


@explains("entries-for-pictures")
def entries_for_pictures(failure: Failure) -> Hits:
    images, places = failure.groups["images"], failure.groups["places"]
    yield failure.hit(say("example-data-has-pictures", places=images, places_2=places))
