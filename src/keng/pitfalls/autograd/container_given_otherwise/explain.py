"""Error messages: a container of layers or parameters is given what it is not made of."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("made-of-a-list")
def made_of_a_list(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"]
    cure = "[nn.Linear(...) for _ in range(n)]" if came == "int" else f"[{came}(...)]"
    yield failure.hit(f"a {what} is made of a list, and gets a {came}: {cure}")


@explains("made-of-pairs")
def made_of_pairs(failure: Failure) -> Hits:
    what = failure.groups["what"].replace("sDict", "Dict")
    yield failure.hit(
        f"a {what} is made of pairs of a name and what stands under it: {{'head': layer}}"
    )


@explains("name-that-is-no-text")
def name_that_is_no_text(failure: Failure) -> Hits:
    what, came = (
        failure.groups["what"].replace("ParameterDict", "parameter"),
        failure.groups["came"],
    )
    yield failure.hit(f"the name of a {what} is a text, and this is a {came}: str(...)")


@explains("joined-with-another")
def joined_with_another(failure: Failure) -> Hits:
    yield failure.hit(
        f"`+` joins two Sequentials, and here a {failure.groups['came']} is added: model.append(...), or nn.Sequential(*model, ...)"
    )


@explains("repeated-so")
def repeated_so(failure: Failure) -> Hits:
    yield failure.hit(
        f"a Sequential is repeated a whole number of times, from 1, and not by {failure.groups['by']}; all share one set of weights"
    )


@explains("put-where-nothing-is")
def put_where_nothing_is(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/modules/container.py"):
        yield failure.hit(
            f"the Sequential is too short for place {failure.groups['at']}: insert takes 0 to len(model)"
        )
