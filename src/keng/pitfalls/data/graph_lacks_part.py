r"""A graph of PyTorch Geometric lacks a part that is asked of it.

A `Data` holds what it was made of and no more: features `x`, labels `y` and masks are there where the dataset or a transform has put them, and `x` and `edge_attr` are None
otherwise. A `HeteroData` holds them for each type of nodes. The graphs of one batch must all have the same parts, since the first one says what is joined. A graph without `x`
does not know how many nodes it has, and takes the highest number in its edges. Files under `processed/` are those of the version that wrote them.

Cure: print the `data`; `RandomNodeSplit()` for masks, `OneHotDegree` or `Constant` for features, `data["paper"].x` in a heterograph, `num_nodes=...`; delete
`processed/` after an update.

Bad:

```python
import torch
from torch_geometric.data import Data

edges = torch.tensor([[0, 1, 2], [1, 2, 0]])
graph = Data(x=torch.ones(3, 4), edge_index=edges, y=torch.tensor([0, 1, 0]))
known = graph.y[graph.train_mask]
```

Good:

```python
import torch
from torch_geometric.data import Data
from torch_geometric.transforms import RandomNodeSplit

edges = torch.tensor([[0, 1, 2], [1, 2, 0]])
graph = Data(x=torch.ones(3, 4), edge_index=edges, y=torch.tensor([0, 1, 0]))
graph = RandomNodeSplit(num_val=1, num_test=1)(graph)
known = graph.y[graph.train_mask]
```

Message (PyTorch Geometric 2.8; `RandomNodeSplit`):

```text
AttributeError: 'GlobalStorage' object has no attribute 'train_mask'
```

Message (PyTorch Geometric 2.8; `each type`):

```text
AttributeError: 'HeteroData' has no attribute 'x'
```

Message (PyTorch Geometric 2.8; `num_nodes=`):

```text
UserWarning: Unable to accurately infer 'num_nodes' from the attribute set '{'edge_index', 'y'}'. Please explicitly set 'num_nodes' as an attribute of 'data' to suppress this warning
```

Message (PyTorch Geometric 2; `processed/`):

```text
RuntimeError: The 'data' object was created by an older version of PyG. If this error occurred while loading an already existing dataset, remove the 'processed/' directory in the dataset's root folder and try again.
```

Message (PyTorch Geometric 2; `num_nodes=`):

```text
RuntimeError: Unable to infer 'num_nodes' from the attribute 'edge_label_index'. Please explicitly set 'num_nodes' as an attribute of 'data' to prevent this error
```

Message (PyTorch Geometric 2; `force_reload=True`):

```text
UserWarning: The `pre_transform` argument differs from the one used in the pre-processed version of this dataset. If you want to make use of another pre-processing technique, pass `force_reload=True` explicitly to reload the dataset.
```

Message (PyTorch Geometric 2; `from_data_list`):

```text
RuntimeError: Cannot reconstruct 'Data' object from 'Batch' because 'Batch' was not created via 'Batch.from_data_list()'
```

Message (PyTorch Geometric 2.8; `has a part x`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 20, in <module>
    for batch in loader:
  File "/opt/conda/lib/python3.11/site-packages/torch_geometric/loader/dataloader.py", line 27, in __call__
    return Batch.from_data_list(
  File "/opt/conda/lib/python3.11/site-packages/torch_geometric/data/collate.py", line 96, in collate
    values = [store[attr] for store in stores]
KeyError: 'x'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import torch_geometric")


@pitfall.explains(
    r"'(?P<kind>GlobalStorage|NodeStorage|EdgeStorage)' object has no attribute '(?P<name>\w+)'",
    r"'(?P<kind>HeteroData)' has no attribute '(?P<name>\w+)'",
    odds=0.95,
)
def not_in_the_graph(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    cure = "print it to see what is there"
    if name.endswith("_mask"):
        cure = "RandomNodeSplit() makes masks of nodes, where the dataset has none"
    elif kind == "HeteroData":
        cure = f"each type of nodes has its own, data['paper'].{name}"
    yield failure.hit(f"the graph has no `{name}`: {cure}")


@pitfall.explains(r"\bKeyError: '(?P<name>\w{1,40})'", odds=0.93)
def not_in_all_graphs(failure: Failure) -> Hits:
    if failure.passed_through("torch_geometric/data/collate.py"):
        name = failure.groups["name"]
        yield failure.hit(
            f"the first graph of the batch has a part {name}, and another one has not: the same parts in all, or exclude_keys=['{name}']"
        )


pitfall.answers(
    {
        "Unable to accurately infer 'num_nodes' from": "a graph without features is taken to end with the highest node of its edges: "
        "Data(..., num_nodes=n), where later nodes have none",
        "Unable to infer 'num_nodes' from the attribute": "a graph of edges alone does not know its nodes: Data(..., num_nodes=n), or features x",
        "argument differs from the one used in the pre-processed": "the file under processed/ was made with another pre_transform or pre_filter, and is what is read: force_reload=True once, or delete that folder",
        "because 'Batch' was not created via 'Batch.from": "the batch was changed or made by hand, and does not know where its graphs begin: Batch.from_data_list(list), and batch[i] before other steps",
        "object was created by an older version of PyG": "the file under processed/ was written by another version: delete that folder, and the "
        "dataset makes it anew",
    },
    odds=0.95,
)
