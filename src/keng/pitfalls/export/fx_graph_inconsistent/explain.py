"""Error messages: a graph of `torch.fx` is changed so that it does not hold together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("still-used")
def still_used(failure: Failure) -> Hits:
    node, users = failure.groups["node"], failure.groups["users"]
    yield failure.hit(
        f"`{node}` is used by {users} other nodes: `{node}.replace_all_uses_with(...)` before it is erased"
    )


@explains("before-what-it-uses")
def before_what_it_uses(failure: Failure) -> Hits:
    used, node = failure.groups["used"], failure.groups["node"]
    yield failure.hit(
        f"`{node}` stands before `{used}`, which it uses: `with graph.inserting_after({used}):` around it"
    )


@explains("of-another-graph")
def of_another_graph(failure: Failure) -> Hits:
    used, node = failure.groups["used"], failure.groups["node"]
    yield failure.hit(
        f"`{node}` uses `{used}` of another graph: graph.node_copy, whose second argument says what stands for it here"
    )


@explains("names-what-is-not-there")
def names_what_is_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['node']}` names a part that the module has not: gm.add_submodule or register_buffer first, or erase the node"
    )


@explains("called-by-the-wrong-means")
def called_by_the_wrong_means(failure: Failure) -> Hits:
    how = "call_function takes the function itself, and call_method a name"
    if failure.groups["wants"] == "str":
        how = "call_method takes the name of a method as a text, and call_function the function"
    yield failure.hit(how)


@explains("fewer-inputs")
def fewer_inputs(failure: Failure) -> Hits:
    yield failure.hit(
        f"the graph has an input `{failure.groups['name']}`, which run() is not given: as many inputs as placeholders"
    )
