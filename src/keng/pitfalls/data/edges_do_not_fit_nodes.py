r"""The edges of a graph do not fit its nodes.

`edge_index` is a tensor of long numbers of shape (2, E): one row of sources, one of targets, each a row of `x`. A list of pairs is (E, 2), and wants a
transposition; ids as a file has them are not 0 to N - 1; a subgraph keeps the numbers of the whole until it is renumbered; features of
another number of rows belong to another graph; a layer with `cached=True` keeps the edges of the first graph that it is given.

Cure: `torch.tensor(pairs, dtype=torch.long).t().contiguous()`; number the nodes from 0 (`unique(return_inverse=True)`),
`subgraph(..., relabel_nodes=True)`; `data.validate()`.

Bad:

```python
import torch
from torch_geometric.nn import GCNConv

pairs = torch.tensor([[0, 1], [1, 2], [2, 0]])
h = GCNConv(4, 8)(torch.ones(3, 4), pairs)
```

Bad (a layer that keeps the edges of the first graph):

```python
import torch
from torch_geometric.nn import GCNConv

layer = GCNConv(4, 8, cached=True)
for nodes in (3, 2):
    edges = torch.tensor([[0, nodes - 1], [nodes - 1, 0]])
    h = layer(torch.ones(nodes, 4), edges)
```

Good:

```python
import torch
from torch_geometric.nn import GCNConv

pairs = torch.tensor([[0, 1], [1, 2], [2, 0]])
h = GCNConv(4, 8)(torch.ones(3, 4), pairs.t().contiguous())
```

Message (PyTorch Geometric 2.8; `(3, ...)`):

```text
ValueError: Expected 'edge_index' to have size '2' in the first dimension (got '3')
```

Message (PyTorch Geometric 2.8; `torch.float32`):

```text
ValueError: Expected 'edge_index' to be of integer type (got 'torch.float32')
```

Message (PyTorch Geometric 1.6, with the code beside it; `one graph alone`):

```text
IndexError: index out of range in self

        self.conv1 = GCNConv(in_channels, out_channels, cached=True)
        x = self.conv1(x, edge_index)
```

Message (PyTorch Geometric 2.8; `120`):

```text
IndexError: Found indices in 'edge_index' that are larger than 99 (got 120). Please ensure that all indices in 'edge_index' point to valid indices in the interval [0, 100) in your node feature matrix and try again.
```

Message (PyTorch Geometric 2.8; `-1`):

```text
IndexError: Found negative indices in 'edge_index' (got -1). Please ensure that all indices in 'edge_index' point to valid indices in the interval [0, 100) in your node feature matrix and try again.
```

Message (PyTorch Geometric; `34`):

```text
ValueError: Encountered tensor with size 34 in dimension -2, but expected size 32.
```

Message (DGL; `120 nodes`):

```text
DGLError: Expect number of features to match number of nodes (len(u)). Got 100 and 120 instead.
```

Message (DGL; `add_self_loop`):

```text
DGLError: There are 0-in-degree nodes in the graph, output for those nodes will be invalid. This is harmful for some applications, causing silent performance regression. Adding self-loop on the input graph by calling `g = dgl.add_self_loop(g)` will resolve the issue.
```

Message (PyTorch Geometric 2; `GCNConv`):

```text
ValueError: 'GCNConv' received a tuple of node features as input while this layer does not support bipartite message passing. Please try other layers such as 'SAGEConv' or 'GraphConv' instead
```

Message (PyTorch Geometric 2; `edge_dim`):

```text
ValueError: Node and edge feature dimensionalities do not match. Consider setting the 'edge_dim' attribute of 'GINEConv'
```

Message (PyTorch Geometric 2.8; `1 dimensions`):

```text
ValueError: Expected 'edge_index' to be two-dimensional (got 1 dimensions)
```

Message (PyTorch Geometric 2.8; `shape (2, E)`):

```text
ValueError: `MessagePassing.propagate` only supports integer tensors of shape `[2, num_messages]`, `torch_sparse.SparseTensor` or `torch.sparse.Tensor` for argument `edge_index`.
```

Message (PyTorch Geometric 2.8; `(3, ...)`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 8, in <module>
    h = GCNConv(4, 8)(torch.ones(3, 4), pairs)
  File "/opt/conda/lib/python3.11/site-packages/torch_geometric/utils/loop.py", line 651, in add_remaining_self_loops
    edge_index = torch.cat([edge_index[:, mask], loop_index], dim=1)
RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 3 but got size 2 for tensor number 1 in the list.
```

Message (torch 1.2; `a node that x has no row for`):

```text
RuntimeError: Invalid index in scatterAdd at /opt/conda/conda-bld/pytorch_1565287124314/work/aten/src/TH/generic/THTensorEvenMoreMath.cpp:536

from torch_geometric.nn import GCNConv
self.conv1 = GCNConv(11, 16)
```

Message (PyTorch Geometric 2; `node 5, and x has 4 rows`):

```text
  File "/env/lib/python3.11/site-packages/torch_geometric/nn/conv/message_passing.py", line 263, in __lift__
    return src.index_select(self.node_dim, index)
IndexError: index 5 is out of bounds for dimension 0 with size 4
```

Message (PyTorch Geometric 1.7, of a model that is printed beside; `node 264`):

```text
GCN(
  (conv1): SGConv(5, 64, K=1)
  (lin): Linear(in_features=64, out_features=2, bias=True)
)
    return out.scatter_add_(dim, index, src)
RuntimeError: index 264 is out of bounds for dimension 0 with size 264
```

Message (PyTorch Geometric 2, on the CPU; `no row for`):

```text
  File "/env/lib/python3.11/site-packages/torch_geometric/nn/conv/message_passing.py", line 263, in __lift__
    return src.index_select(self.node_dim, index)
IndexError: index out of range in self
```
"""

from keng.explain.advice.fits import edges_mended, in_graph_layer
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torch_geometric")

JOINED = "Sizes of tensors must match except in dimension 1."


@pitfall.explains(
    r"Expected 'edge_index' to have size '2' in the first dimension \(got '(?P<size>\d+)'\)",
    r"Expected 'edge_index' to be of integer type \(got '(?P<dtype>torch\.\w+)'\)",
    r"Expected 'edge_index' to be two-dimensional \(got (?P<size>\d+ dimensions)\)",
    rf"{JOINED} Expected size (?P<size>\d+) but got size 2 for tensor",
    odds=0.97,
)
def no_pair_of_rows(failure: Failure) -> Hits:
    if JOINED in failure.message and not failure.passed_through("torch_geometric/utils/loop.py"):
        return
    size, dtype = failure.groups.get("size"), failure.groups.get("dtype")
    came = (
        f"{dtype}: edge_index.long()"
        if dtype
        else f"({size}, ...): edge_index.t().contiguous() for a list of pairs"
    )
    if size and not size.isdigit():
        came = f"of {size}: a list of pairs without an edge is torch.empty(2, 0, dtype=torch.long)"
    yield failure.hit(f"edge_index is long numbers of shape (2, E), and this is {came}")


@pitfall.explains(
    r"Found indices in 'edge_index' that are larger than (?P<last>\d+) \(got (?P<came>\d+)\)",
    r"Found negative indices in 'edge_index' \(got (?P<came>-\d+)\)",
    odds=0.97,
)
def node_that_is_not_there(failure: Failure) -> Hits:
    came, last = failure.groups["came"], failure.groups.get("last")
    there = f"the last row of x is {last}" if last else "rows of x begin at 0"
    yield failure.hit(f"an edge names node {came}, and {there}: {edges_mended(failure)}")


@pitfall.explains(
    r"[Ii]nvalid index in scatterAdd",
    r"index (?P<came>\d+) is out of bounds for dimension -?\d with size (?P<size>\d+)",
    r"\bindex out of range in self",
    odds=0.96,
)
def edge_that_points_outside(failure: Failure) -> Hits:
    came, size = failure.groups.get("came"), failure.groups.get("size")
    node = f"node {came}, and x has {size} rows" if came else "a node that x has no row for"
    if in_graph_layer(failure):
        yield failure.hit(f"an edge of edge_index names {node}: {edges_mended(failure)}")


@pitfall.explains(
    r"Encountered tensor with size (?P<came>\d+) in dimension -?\d+, but expected size (?P<nodes>\d+)",
    r"Expect number of features to match number of (?:nodes|edges) \(len\(\w\)\)\. Got (?P<came>\d+) and (?P<nodes>\d+) instead",
    odds=0.95,
)
def rows_for_other_nodes(failure: Failure) -> Hits:
    came, nodes = failure.groups["came"], failure.groups["nodes"]
    yield failure.hit(
        f"the features have {came} rows, and the graph has {nodes} nodes: nodes without edges count too (num_nodes=...)"
    )


@pitfall.explains(
    r"'(?P<layer>\w{2,60})' received a tuple of node features as input while this layer does not support bipartite",
    odds=0.97,
)
def two_kinds_of_nodes(failure: Failure) -> Hits:
    layer = failure.groups["layer"]
    yield failure.hit(
        f"edges between two kinds of nodes are nothing for {layer}: SAGEConv, GraphConv or GATConv((-1, -1), ...)"
    )


EDGES = "edge_index is a tensor of long numbers of shape (2, E), and this is something else: torch.tensor(pairs, dtype=torch.long).t().contiguous()"
EACH = "features of edges are added to those of nodes, and have another length: GINEConv(nn, edge_dim=edge_attr.size(-1))"
REACHED = (
    "some nodes have no edge that ends in them: dgl.add_self_loop(g), for heterographs of each type"
)
MISFITS = {
    "There are 0-in-degree nodes in the graph": REACHED,
    "MessagePassing.propagate` only supports ": EDGES,
    "Node and edge feature dimensionalities do not match": EACH,
}
pitfall.answers(MISFITS, odds=0.95)
