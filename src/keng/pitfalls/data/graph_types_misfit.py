r"""A layer, a split or a wrapper does not fit the types of a heterogeneous graph.

In a `HeteroData` an edge goes from one type of nodes to another. A loop at a node joins a node with itself, so that it is nothing for edges between two types. A type of nodes that no
edge ends in gets no messages: it has no features after the layer, and is missing in the next one. A split does not know which edges are to be predicted, and `HeteroConv` hands on
only what it is given by type.

Cure: `add_self_loops=False` in GATConv, GCNConv and their kin; `ToUndirected()` before `metadata()` adds the edges back; `RandomLinkSplit(edge_types=[("user", "rates",
"movie")], rev_edge_types=[("movie", "rev_rates", "user")])`.

Bad:

```python
import torch
from torch_geometric.data import HeteroData
from torch_geometric.nn import GATConv, HeteroConv
from torch_geometric.transforms import ToUndirected

graph = HeteroData()
graph["user"].x, graph["movie"].x = torch.ones(3, 2), torch.ones(2, 2)
graph["user", "rates", "movie"].edge_index = torch.tensor([[0, 1], [0, 1]])
graph = ToUndirected()(graph)
layer = HeteroConv({kind: GATConv((2, 2), 4) for kind in graph.edge_types})
```

Good:

```python
import torch
from torch_geometric.data import HeteroData
from torch_geometric.nn import GATConv, HeteroConv
from torch_geometric.transforms import ToUndirected

graph = HeteroData()
graph["user"].x, graph["movie"].x = torch.ones(3, 2), torch.ones(2, 2)
graph["user", "rates", "movie"].edge_index = torch.tensor([[0, 1], [0, 1]])
graph = ToUndirected()(graph)
layer = HeteroConv({kind: GATConv((2, 2), 4, add_self_loops=False) for kind in graph.edge_types})
```

Message (PyTorch Geometric 2; `user`):

```text
UserWarning: There exist node types ({'user'}) whose representations do not get updated during message passing as they do not occur as destination type in any edge type. This may lead to unexpected behavior.
```

Message (PyTorch Geometric 2; `author`):

```text
ValueError: Cannot generate a graph node 'add' for type 'author' since it does not exist. Please make sure that all node types get updated during message passing.
```

Message (PyTorch Geometric 2; `rev_edge_types`):

```text
ValueError: The 'RandomLinkSplit' transform expects 'edge_types' to be specified when operating on 'HeteroData' objects
```

Message (PyTorch Geometric 2; `edge_attr_dict`):

```text
ValueError: Keyword arguments in 'HeteroConv' need to end with '_dict' (got 'edge_attr')
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torch_geometric")


@pitfall.explains(
    r"'add_self_loops' attribute set to 'True' on module '(?P<layer>\w{1,60})[^\n]{0,200}?' for use with edge type\(s\) '\[?(?P<kinds>[^\n]{3,200}?)\]?'(?:\.|$)",
    odds=0.97,
)
def loops_between_types(failure: Failure) -> Hits:
    layer, kinds = failure.groups["layer"], failure.groups["kinds"]
    yield failure.hit(
        f"`{layer}` adds a loop at each node, and the edges {kinds} go between two types: add_self_loops=False"
    )


@pitfall.explains(
    r"There exist node types \(\{(?P<kinds>[^}\n]{1,200})\}\) whose representations do not get updated",
    r"Cannot generate a graph node '\w{1,60}' for type '(?P<kinds>[^\n]{1,80})' since it does not exist",
    odds=0.95,
)
def nothing_arrives(failure: Failure) -> Hits:
    yield failure.hit(
        f"no edge ends in nodes of type {failure.groups['kinds'].strip()}, which have no features after a layer: ToUndirected() adds edges back, before metadata()"
    )


@pitfall.explains(
    r"Keyword arguments in '(?P<layer>\w{1,60})' need to end with '_dict' \(got '(?P<name>\w{1,60})'\)",
    odds=0.97,
)
def not_by_type(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is given as one thing, and each type of edges wants its own: {name}_dict={{edge_type: ...}}"
    )


SPLIT = "the split is not told which edges are to be predicted: edge_types=[(SOURCE, RELATION, TARGET)], and rev_edge_types=[...] so that the way back does not give them away"
pitfall.answers(
    {"'RandomLinkSplit' transform expects 'edge_types' to be specified": SPLIT}, odds=0.97
)
