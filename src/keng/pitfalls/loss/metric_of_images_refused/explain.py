"""Error messages: a metric of images or boxes gets them in another form than it takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-normalized")
def not_normalized(failure: Failure) -> Hits:
    first, second, span = (failure.groups[key] for key in ("first", "second", "span"))
    odd = [
        shape for shape in (first, second) if shape.count(",") != 3 or shape.split(", ")[1] != "3"
    ]
    says = f"values from {failure.groups['values']} where {span} is taken: bring both to it, or clamp; normalize=True is for images from 0 to 1"
    if odd:
        says = f"images of shape ({odd[0]}) where (N, 3, H, W) is taken: x.expand(-1, 3, -1, -1) for one channel, unsqueeze(0) for one image"
    yield failure.hit(says)


@explains("part-missing")
def part_missing(failure: Failure) -> Hits:
    where, key = failure.groups["where"], failure.groups["key"]
    cure = "targets hold boxes (or masks) and labels, predictions scores as well"
    yield failure.hit(f"a dict among the {where} has no `{key}`: {cure}; are the two swapped?")


@explains("of-different-length")
def of_different_length(failure: Failure) -> Hits:
    key, sample, where, boxes, labels = (
        failure.groups[each] for each in ("key", "sample", "where", "boxes", "labels")
    )
    yield failure.hit(
        f"image {sample} of the {where} has {boxes} {key} and {labels} labels: one filter for all of them, boxes[keep], labels[keep], scores[keep]"
    )


@explains("too-small-to-halve")
def too_small_to_halve(failure: Failure) -> Hits:
    side, least = failure.groups["side"], failure.groups["least"]
    yield failure.hit(
        f"the image is halved for each of the betas, and its {side} is not above {least}: larger images, fewer betas or a smaller kernel_size"
    )
