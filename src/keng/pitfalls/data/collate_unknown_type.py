r"""A batch is to be made of items that are no tensors, arrays or numbers.

The default collate function joins tensors, NumPy arrays, numbers and texts, and goes through dicts and
lists of them. None is the most frequent stranger: `__getitem__` ended without a return, or returned None
for a sample that could not be read; next come PIL images without a transform and objects of one's own.

Cure: return a tensor for every sample; leave broken samples out in a `collate_fn` that filters None;
`transforms.ToTensor()` for images.

Bad:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        if index != 2:
            return torch.ones(3)


for batch in DataLoader(Numbers(), batch_size=4):  # seen: `__getitem__ returned None`
    pass
```

Bad (objects):

```python
from torch.utils.data import DataLoader

samples = [object(), object()]
batch = next(iter(DataLoader(samples, batch_size=2)))  # seen: `object`
```

Good:

```python
import torch
from torch.utils.data import DataLoader, default_collate


def without_broken(samples):
    return default_collate([sample for sample in samples if sample is not None])


samples = [torch.ones(3), None, torch.ones(3)]
batch = next(iter(DataLoader(samples, batch_size=3, collate_fn=without_broken)))
```

Bad (an array of texts):

```python
import numpy as np
from torch.utils.data import DataLoader

names = np.array(["a.png", "b.png"])
samples = [{"image": np.zeros(3), "name": names[n : n + 1]} for n in range(2)]
batch = next(iter(DataLoader(samples, batch_size=2)))  # seen: `x.tolist()`
```

Bad (an array of objects):

```python
import numpy as np
from torch.utils.data import DataLoader

rows = np.array([[1.5, None], [2.5, 3.5]], dtype=object)
batch = next(iter(DataLoader(rows, batch_size=2)))  # seen: `dtype object`
```

Message (torch 1.1):

```text
TypeError: batch must contain tensors, numbers, dicts or lists; found <class 'PIL.Image.Image'>
```

Message (torch 2.13; `sparse`):

```text
RuntimeError: Batches of sparse tensors are not currently supported by the default collate_fn; please provide a custom collate_fn to handle them appropriately.
```

Message (torch 2.13 and PyTorch Geometric 2.8; `torch_geometric.loader.DataLoader`):

```text
TypeError: default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'torch_geometric.data.data.Data'>
```

Message (torch 1.5 to 2.13; `of numbers`):

```text
TypeError: expected Tensor as element 1 in argument 0, but got float
```

Message (torch 1.5 to 2.13; `returned nothing`):

```text
TypeError: expected Tensor as element 1 in argument 0, but got NoneType
```

Message (torch 1.5 to 2.13; `np.concatenate`):

```text
TypeError: expected Tensor as element 1 in argument 0, but got numpy.ndarray
```

Message (torch 1.5 to 2.13; `returns several`):

```text
TypeError: expected Tensor as element 1 in argument 0, but got tuple
```

Message (torch 1.5 to 2.13; `by itself first`):

```text
TypeError: expected Tensor as element 1 in argument 0, but got list
```

Message (torch 1.5 to 2.13; `take its tensors out`):

```text
TypeError: expected Tensor as element 1 in argument 0, but got dict
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NUMBERS = "torch.tensor(list) makes one of numbers"
OF_A_LIST = {
    **dict.fromkeys(("float", "int", "bool", "float32", "float64", "int64"), NUMBERS),
    "NoneType": "what was to make it returned nothing, or it is the .grad of what got none",
    "ndarray": "torch.from_numpy of each, or np.concatenate before",
    "tuple": "the part that is meant, as of a model that returns several",
    "list": "cat each list by itself first, or torch.tensor(list) of numbers",
}
"""What stands where tensors are joined -> what to do."""


@pitfall.explains(
    r"batch must contain tensors, (?:numpy arrays, )?numbers, dicts or lists; found (?:<class ')?(?P<kind>[<>|]?[\w.]+)",
    odds=0.95,
)
def stranger_in_a_batch(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind == "NoneType":
        told = failure.live.fetched.told
        yield failure.hit(
            f"`__getitem__` returned None for a sample{told}: a return is missing, or it was unreadable"
        )
    elif "PIL" in kind:
        yield failure.hit(
            "a PIL image in a batch: transforms.ToTensor() is missing, or `__getitem__` does not call the transform"
        )
    elif "torch_geometric" in kind or kind.startswith("dgl"):
        yield failure.hit(
            "graphs are joined by a loader of their own: torch_geometric.loader.DataLoader, dgl.dataloading.GraphDataLoader"
        )
    elif kind[0] in "<>|":
        yield failure.hit(
            f"a sample holds a NumPy array of texts ({kind}): numbers for classes, or x.tolist(), texts of Python, which a batch lists"
        )
    elif kind == "object" and "<class" not in failure.message:
        yield failure.hit(
            "a sample holds an array of dtype object: array.astype('float32') does for numbers of mixed kinds, and else tells what is none"
        )
    else:
        yield failure.hit(
            f"`{kind}` cannot be joined to a batch: return tensors, or give a collate_fn"
        )


@pitfall.explains(
    r"expected Tensor as element (?P<nth>\d+) in argument 0, but got (?P<kind>[\w.]+)", odds=0.8
)
def stranger_among_tensors(failure: Failure) -> Hits:
    nth, kind = failure.groups["nth"], failure.groups["kind"]
    if failure.passed_through("torch/utils/data/_utils/collate.py"):
        says = (
            "`__getitem__` returned None"
            if kind == "NoneType"
            else f"`__getitem__` returned a {kind}"
        )
        told = failure.live.fetched.told
        yield failure.hit(f"{says} for sample {nth} of the batch{told}, tensors for others")
    else:
        cure = OF_A_LIST.get(kind.rpartition(".")[2], "take its tensors out first")
        yield failure.hit(
            f"element {nth} of the list is no tensor but a {kind}: {cure}", sure=False
        )


@pitfall.explains(
    r"Batches of (?P<kind>sparse|nested) tensors are not currently supported by the default collate_fn",
    odds=0.97,
)
def of_another_layout(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['kind']} tensors are not stacked: a collate_fn of one's own, or dense ones"
    )
