"""Error messages: a layer gets an input of another size than it was made for."""

from __future__ import annotations

from math import prod

from keng.explain.advice import images, layers
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("features")
def features(failure: Failure) -> Hits:
    rows, came, wants = (int(failure.groups[name]) for name in ("rows", "came", "wants"))
    given, says = failure.given, f"{failure.layer} takes {wants} features, but gets {came}"
    joined = rows * came % wants == wants % came == 0
    if (known := layers.one_size_is_not_it(failure, wants, came)) is not None:
        yield failure.hit(*known)
    elif prod(given.shape[1:]) == wants if given is not None else joined:
        says += f": flatten its input first, as in {failure.fed}.flatten(1), or in_features={came}"
        yield failure.hit(says, sure=given is not None or layers.not_flattened(rows, wants, came))
    else:
        cure, fix = layers.made_for_what_came(failure, wants, came)
        yield failure.hit(f"{says}{cure}", fix=fix, wants=wants, came=came)


@explains("channels")
def channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    says = f"{failure.layer} takes {wants} channels, but gets {came}"
    if images.channels_come_last(shape, wants, failure.groups["weight"]):
        turned, fix = images.put_second(failure, shape)
        yield failure.hit(f"{says}: the channels are the last dimension; {turned}", fix)
    elif (came_as := images.without_channels(failure, shape, wants)) is not None:
        says += f": `{failure.fed}` of shape {came_as} lacks the dimension of its channel"
        yield failure.hit(says, failure.refed("{}.unsqueeze(1)"), sure=failure.given is not None)
    elif came % int(failure.groups["groups"]):
        yield failure.hit(f"{says}, which its groups do not divide", wants=wants, came=came)
    elif replaced := layers.weight_replaced(failure, "in_channels", wants, came):
        yield failure.hit(replaced)
    else:
        cure = images.channels_for(failure, shape, wants, came)
        fix = failure.remade("in_channels", 0, wants, came) if cure.startswith("in_") else None
        yield failure.hit(f"{says}: {cure}", fix=fix, wants=wants, came=came)


@explains("extent")
def extent(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    says = f"{failure.layer} has a kernel of {wants}, but only {came} arrives, padding included"
    number = layers.more_padding(failure, wants, came)
    yield failure.hit(f"{says}: larger inputs, less pooling, or {number}")


@explains("nothing-left")
def nothing_left(failure: Failure) -> Hits:
    came, left = (failure.groups[n].replace(" ", "").replace("x", " x ") for n in ("came", "left"))
    says = f"{failure.layer} gets {came} and would leave {left}: larger inputs or less pooling"
    yield failure.hit(says)


@explains("features-without-their-numbers")
def features_without_their_numbers(failure: Failure) -> Hits:
    yield failure.hit(layers.without_numbers(failure))
