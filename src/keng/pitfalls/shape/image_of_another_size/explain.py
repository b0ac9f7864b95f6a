"""Error messages: an image is of another size than a vision transformer has positions for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.shape._shared_explain import patches_per_side
from keng.rules import explains


@explains("no-positions-for-it")
def no_positions_for_it(failure: Failure) -> Hits:
    came, wants = (failure.groups[key].replace("*", " x ") for key in ("came", "wants"))
    yield failure.hit(
        f"the image is of size {came}, and the model has positions for {wants}: resize it, or interpolate_pos_encoding=True (timm: img_size=)"
    )


@explains("told-in-short")
def told_in_short(failure: Failure) -> Hits:
    yield failure.hit(
        f"the image has another {failure.groups['side']} than the model has positions for: resize it, or make the model with image_size="
    )


@explains("squares-of-patches")
def squares_of_patches(failure: Failure) -> Hits:
    came, wants = int(failure.groups["one"]), int(failure.groups["other"])
    if (sides := patches_per_side(failure, came, wants)) is not None:
        a, b = sides
        yield failure.hit(
            f"{a} x {a} patches meet positions for {b} x {b}: the model is made for images of another size; resize them, or make it with image_size= or img_size="
        )


@explains("patches-leave-a-rest")
def patches_leave_a_rest(failure: Failure) -> Hits:
    came, patch = (int(failure.groups[key]) for key in ("came", "patch"))
    yield failure.hit(
        f"{came} pixels are no multiple of patches of {patch}: resize or pad to {-(-came // patch) * patch}"
    )
