"""Error messages: a graph of `torch.fx` is changed so that it does not hold together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("still-used")
def still_used(failure: Failure) -> Hits:
    node, users = failure.groups["node"], failure.groups["users"]
    yield failure.hit(say("used-other-nodes-before", users=node, users_2=users))


@explains("before-what-it-uses")
def before_what_it_uses(failure: Failure) -> Hits:
    used, node = failure.groups["used"], failure.groups["node"]
    yield failure.hit(say("stands-before-uses-around", used=node, used_2=used))


@explains("of-another-graph")
def of_another_graph(failure: Failure) -> Hits:
    used, node = failure.groups["used"], failure.groups["node"]
    yield failure.hit(say("uses-another-graph-graph", used=node, used_2=used))


@explains("called-by-the-wrong-means")
def called_by_the_wrong_means(failure: Failure) -> Hits:
    how = say("call-function-takes-function")
    if failure.groups["wants"] == "str":
        how = say("call-method-takes-name")
    yield failure.hit(how)
