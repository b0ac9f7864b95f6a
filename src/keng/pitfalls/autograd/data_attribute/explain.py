"""Error messages: a tensor is changed behind autograd's back, through `.data`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("reshaped-behind-the-graph")
def reshaped_behind_the_graph(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} would give the tensor itself another memory behind the graph: change x under torch.no_grad(), or clone it"
    )


@explains("pruned-behind-the-graph")
def pruned_behind_the_graph(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(
        f"what went into {name} was [{wants}] for the graph and is [{came}] now: given another shape behind it, by .data or pruning; a new nn.Parameter, and forward again"
    )
