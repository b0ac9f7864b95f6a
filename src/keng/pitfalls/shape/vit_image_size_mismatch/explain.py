"""Error messages: an image is of another size than a vision transformer has positions for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.shape._shared_explain import patches_per_side
from keng.rules import explains


@explains("no-positions-for-it")
def no_positions_for_it(failure: Failure) -> Hits:
    came, wants = (failure.groups[key].replace("*", " x ") for key in ("came", "wants"))
    yield failure.hit(say("image-size-model-has", wants=came, wants_2=wants))


@explains("squares-of-patches")
def squares_of_patches(failure: Failure) -> Hits:
    came, wants = int(failure.groups["one"]), int(failure.groups["other"])
    if (sides := patches_per_side(failure, came, wants)) is not None:
        a, b = sides
        yield failure.hit(say("x-patches-meet-positions", b=a, b_2=b))


@explains("patches-leave-a-rest")
def patches_leave_a_rest(failure: Failure) -> Hits:
    came, patch = (int(failure.groups[key]) for key in ("came", "patch"))
    yield failure.hit(
        say("pixels-no-multiple-patches", size=came, patch=patch, value=-(-came // patch) * patch)
    )
