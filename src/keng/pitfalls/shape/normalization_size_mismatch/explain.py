"""Error messages: a normalization layer was made for another number of features."""

from __future__ import annotations

from math import gcd, prod

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

EXTRACTED = {
    2304: "SlowFast",
    2048: "a ResNet-50",
    512: "CLIP",
    768: "CLIP of ViT-L, or BERT",
    1024: "I3D",
}
"""How many features extractors give, whose outputs are put side by side."""


@explains("another-number-of-channels")
def another_number_of_channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    given = failure.input
    if given is not None and came == prod(given.shape[:2]):  # InstanceNorm counts them all
        came, wants = given.shape[1], wants // given.shape[0]
    says = f"{failure.layer} is made for {wants} channels, "
    if given is not None and given.shape[-1] == wants:
        yield failure.hit(
            f"{says}which come last and not second: {failure.input_name}.movedim(-1, 1)"
        )
    else:
        fix = failure.rebuild_layer("num_features", 0, wants, came)
        yield failure.hit(f"{says}but gets {came}: {_channels_for_a_norm(wants, came)}", fix=fix)


@explains("other-last-dimensions")
def other_last_dimensions(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says, fix = f"{failure.layer} is made for ({wants}) at the end, and gets ({came})", None
    if wants in came.split(", ")[1:-1]:
        says += f": the {wants} channels do not come last; GroupNorm(1, {wants}) takes them so"
    elif "," not in wants:
        here, there = int(wants), int(came.split(", ")[-1])
        fix = failure.rebuild_layer("normalized_shape", 0, here, there)
        says += "" if fix else f": {_features_missing(here, there)}"
    yield failure.hit(says, fix)


@explains("groups-that-do-not-divide")
def groups_that_do_not_divide(failure: Failure) -> Hits:
    channels, groups = (int(failure.groups[name] or 0) for name in ("channels", "groups"))
    says = say(
        "channels-do-not-divide", fitting=channels, groups=groups, channels=gcd(channels, groups)
    )
    yield failure.hit(says if channels else say("groups-do-not-divide"))


@explains("groups-of-other-channels")
def groups_of_other_channels(failure: Failure) -> Hits:
    says = "{} is made for {wants} channels, which come second, and gets ({came})"
    yield failure.hit(says.format(failure.layer, **failure.groups))


@explains("channels-that-came-do-not-divide")
def channels_that_came_do_not_divide(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(say("gets-channels-groups-do", came=failure.layer, came_2=came))


@explains("scale-of-another-shape")
def scale_of_another_shape(failure: Failure) -> Hits:
    says = "{} normalizes over ({wants}), and its {part} is of ({has})"
    yield failure.hit(says.format(failure.layer, **failure.groups))


def _channels_for_a_norm(wants: int, came: int) -> str:
    """What to make a normalization of other channels for, or what to give it."""
    if came == 2 * wants:
        return f"num_features={came}, or the {wants} from before torch.cat joined two maps"
    if wants == 2 * came:
        return f"num_features={came}, or torch.cat of two maps before it, where it is to follow one"
    return f"num_features={came}, or {wants} channels or features, as it was made for, from what comes before"


def _features_missing(wants: int, came: int) -> str:
    """What to do with an input of another width than a layer was made for."""
    name = EXTRACTED.get(wants - came, "")
    if name and wants % came:
        says = f"{wants} - {came} = {wants - came} features are missing, as many as {name} gives"
        return f"{says}: put them beside the others as in training, or train for {came}"
    return f"give it {wants}, as a trained model needs, or normalized_shape={came} in a layer of your own"
