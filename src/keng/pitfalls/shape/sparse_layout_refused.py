r"""An operation does not know the layout of a sparse tensor.

A sparse tensor keeps indices and values instead of all numbers. Views, slices, NumPy and many operations know only dense tensors;
`indices`, `values` and `coalesce` only sparse ones, and the first two only coalesced ones, in which no place stands twice.

Cure: `x.coalesce()` before `.indices()` and `.values()`; `x.to_dense()` where it fits into memory; otherwise the few operations that
have a sparse form, `torch.sparse.mm(adjacency, features)`.

Bad (not coalesced):

```python
import torch

edges = torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), torch.ones(2), (2, 2))
weights = edges.values()  # seen: `coalesce()`
```

Bad (a view):

```python
import torch

edges = torch.eye(3).to_sparse()
row = edges.view(9)  # seen: `to_dense()`
```

Bad (a row that is written):

```python
import torch

edges = torch.eye(3).to_sparse()
edges[0] = 1  # seen: `to_dense()`
```

Bad (a product):

```python
import torch

edges = torch.eye(3).to_sparse()
features = edges @ torch.ones(2, 2)  # seen: `3 columns`
```

Bad (a size of fewer dimensions):

```python
import torch

edges = torch.sparse_coo_tensor([[0, 1], [0, 1]], [1.0, 2.0], (2,))  # seen: `2 rows`
```

Bad (beside a dense one):

```python
import torch

edges = torch.eye(3).to_sparse()
both = torch.cat([edges, torch.eye(3)])  # seen: `number 1`
```

Bad (stretched):

```python
import torch

edges = torch.eye(3).to_sparse()
batch = edges.expand(2, 3, 3)  # seen: `expand`
```

Bad (its memory):

```python
import torch

edges = torch.eye(3).to_sparse()
memory = edges.untyped_storage()  # seen: `storage`
```

Bad (a row of a CSR tensor):

```python
import torch

edges = torch.eye(3).to_sparse_csr()
rows = edges[0:1]  # seen: `strides`
```

Bad (a sum of rows):

```python
import torch

edges = torch.eye(3).to_sparse_csr()
degrees = edges.sum(1)  # seen: `keepdim=True`
```

Bad (one matrix in place of a batch; `torch.sparse.mm`):

```python
import torch

adjacency = torch.eye(3).to_sparse()
y = torch.bmm(adjacency, torch.ones(1, 3, 2))  # seen: `batches`
```

Good:

```python
import torch

edges = torch.eye(3).to_sparse()
weights = edges.coalesce().values()
row = edges.to_dense().view(9)
features = torch.sparse.mm(edges, torch.ones(3, 2))
```

Message (torch 2.13; `Strided`):

```text
RuntimeError: indices expected sparse coordinate tensor layout but got Strided
```

Message (torch 2.13; `to_dense()`):

```text
TypeError: can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.
```

Message (torch 2.13; `dense + sparse`):

```text
RuntimeError: add(sparse, dense) is not supported. Use add(dense, sparse) instead.
```

Message (torch 2.13; `2 and 3 of`):

```text
RuntimeError: indices and values must have same nnz, but got nnz from indices: 2, nnz from values: 3
```

Message (torch 2.13; `a row for each dimension`):

```text
RuntimeError: indices must be sparse_dim x nnz, but got: [3]
```

Message (torch 2.13, of clone(memory_format=...); `to_dense()`):

```text
RuntimeError: unsupported memory format option Contiguous
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Cannot get (?P<what>\w+) on an uncoalesced tensor", odds=0.97)
def places_twice(failure: Failure) -> Hits:
    yield failure.hit(f"a place may stand twice in it: x.coalesce().{failure.groups['what']}()")


@pitfall.explains(
    r"Could not run '(?P<op>aten::[\w.]+)' with arguments from the 'Sparse\w+' backend",
    r"can't convert Sparse\w* layout tensor to (?P<op>numpy)",
    r"\b(?P<op>expand|storage|reshape) (?:is unsupported for Sparse\w* tensors|is not implemented for sparse|of Sparse\w*TensorImpl)",
    r"Sparse CSR tensors do not have (?P<op>\w+)",
    odds=0.95,
)
def only_dense(failure: Failure) -> Hits:
    yield failure.hit(f"{failure.groups['op']} does not know sparse tensors: x.to_dense() first")


@pitfall.explains(
    r"\b(?P<what>\w+) expected sparse(?: coordinate| (?:row |column )?compressed)? tensor layout but got (?P<layout>\w+)",
    odds=0.96,
)
def only_sparse(failure: Failure) -> Hits:
    what, layout = failure.groups["what"], failure.groups["layout"]
    yield failure.hit(
        f"{what} is of sparse tensors, and this one is {layout}: x.to_sparse(), or leave it out"
    )


@pitfall.explains(r"nnz from indices: (?P<i>\d+), nnz from values: (?P<v>\d+)", odds=0.97)
def one_value_for_each_place(failure: Failure) -> Hits:
    yield failure.hit(
        f"there are {failure.groups['i']} and {failure.groups['v']} of indices and values"
    )


@pitfall.explains(
    r"Concatenating sparse tensors, but a dense tensor was found at position (?P<at>\d+)", odds=0.97
)
def joined_with_a_dense_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"sparse and dense tensors are joined: number {failure.groups['at']} is dense"
    )


@pitfall.explains(
    r"Argument #3 \(dense\): Expected dim (?P<dim>\d) size (?P<wants>\d+), got (?P<came>\d+)",
    odds=0.97,
)
def product_that_does_not_fit(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the sparse matrix has {wants} columns, and the dense one {came} rows")


@pitfall.explains(
    r"'len\(size\) == sparse_dim \+ dense_dim' is not satisfied: len\(size\) = (?P<size>\d+), sparse_dim = (?P<rows>\d+)",
    odds=0.97,
)
def one_row_for_each_dimension(failure: Failure) -> Hits:
    rows, size = failure.groups["rows"], failure.groups["size"]
    yield failure.hit(
        f"the indices have {rows} rows, one for each dimension, and the size has {size}"
    )


pitfall.answers(
    {
        "bmm_sparse: Tensor 'self' must have 3 sparse dims": "torch.bmm multiplies batches: torch.sparse.mm for one sparse matrix",
        "add(sparse, dense) is not supported": "a dense tensor is added to a sparse one: dense + sparse; in an optimizer weight_decay does it",
        "Cannot assign to a sparse tensor": "a sparse tensor is not written into: make it anew of indices and values, or x.to_dense()",
        "copy_() between dense and sparse Tensors": "sparse and dense are not copied into each other: x.to_dense() or x.to_sparse() first",
        "indices must be sparse_dim x nnz": "the indices are a matrix: a row for each dimension, a column for each value",
        "sparse addition does not currently support broadcasting": "sparse tensors of one shape are added, and none is stretched",
        "memory format option is only supported by strided tensors": "a sparse tensor has no order in memory: x.to_dense() first",
        "unsupported memory format option": "a sparse tensor has no order in memory: x.to_dense() first",
        "unsupported tensor layout: Sparse": "this operation does not know sparse tensors: x.to_dense() first",
        "can only be called on sparse tensors": "this operation is for sparse tensors: x.to_sparse() first",
        "reduction operations on CSR tensors with keepdim=False": "a sum of a CSR tensor over a dimension keeps it: keepdim=True",
    },
    odds=0.96,
)
