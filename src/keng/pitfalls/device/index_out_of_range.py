r"""An index points outside the tensor, or is no integer.

`x[i]`, `index_select`, `gather`, `scatter` and embeddings take integers from 0 to n - 1 (in brackets
also from -n). On the CPU a wrong one raises at once; on a GPU a check inside the kernel fails, and a
later line tells of it. For an embedding the usual cause is a table smaller than the vocabulary: the
ids of special tokens, or one more because ids begin at 1.

Cure: make the table as large as the largest index plus one, or mend the indices; `.long()` for
indices that have become floats.

Bad (an embedding):

```python
import torch
from torch import nn

words = nn.Embedding(10, 4)
tokens = torch.tensor([[1, 9, 10]])
y = words(tokens)  # seen: 10 rows are numbered 0 to 9
```

Bad (brackets):

```python
import torch

x = torch.zeros(3, 4)
rows = torch.tensor([0, 3])
y = x[rows]  # seen: the last row is 2
```

Bad (gather, with floats):

```python
import torch

x = torch.zeros(3, 4)
order = torch.tensor([[1.0], [0.0], [2.0]])
y = x.gather(1, order)  # seen: float indices
```

Bad (brackets, with floats):

```python
import torch

x, rows = torch.zeros(3, 4), torch.linspace(0, 2, 3)
y = x[rows]  # seen: float indices
```

Bad (an embedding of floats):

```python
import torch
from torch import nn

words = nn.Embedding(10, 4)
tokens = torch.ones(2, 3)
y = words(tokens)  # seen: float indices
```

Bad (a bag of embeddings):

```python
import torch
from torch import nn

bag = nn.EmbeddingBag(10, 4)
y = bag(torch.tensor([[1, 12]]))  # seen: 10 rows are numbered 0 to 9
```

Bad (gather, of a larger vocabulary):

```python
import torch

scores, ids = torch.zeros(2, 3), torch.tensor([[0, 2], [1, 3]])
y = scores.gather(1, ids)  # seen: `fewer classes or tokens`
```

Bad (a column for each class, in a loss of one's own):

```python
import torch


def dice_loss(scores, labels):
    columns = torch.zeros_like(scores).scatter_(1, labels.unsqueeze(1), 1)  # seen: `a label`
    return 1 - (scores.softmax(1) * columns).mean()


scores = torch.zeros(2, 4, 3)
labels = torch.tensor([[0, 1, 4], [0, 2, 1]])
loss = dice_loss(scores, labels)
```

Bad (take):

```python
import torch

x = torch.zeros(3)
y = x.take(torch.tensor([3]))  # seen: the last element is 2
```

Bad (along a dimension, with floats):

```python
import torch

x, order = torch.zeros(3, 4), torch.zeros(3, 1)
y = torch.take_along_dim(x, order, 1)  # seen: `order` is float32
```

Bad (one row beyond the last):

```python
import torch

row = torch.ones(3, 4).select(0, 5)  # seen: `dimension 0 has 3 places`
```

Good:

```python
import torch
from torch import nn

words = nn.Embedding(11, 4)
tokens = torch.tensor([[1.0, 9.0, 10.0]])
y = words(tokens.long())
```

Message (torch 2.4, CUDA, an embedding):

```text
../aten/src/ATen/native/cuda/Indexing.cu:1292: indexSelectLargeIndex: block: [12,0,0], thread: [32,0,0] Assertion `srcIndex < srcSelectDimSize` failed.
Traceback (most recent call last):
  File "train.py", line 40, in <module>
    loss.backward()
RuntimeError: CUDA error: device-side assert triggered
```

Message (torch 2.4, CUDA, brackets):

```text
../aten/src/ATen/native/cuda/IndexKernel.cu:92: operator(): block: [0,0,0], thread: [0,0,0] Assertion `-sizes[i] <= index && index < sizes[i] && "index out of bounds"` failed.
```

Message (torch 2.13, CUDA, gather of rows):

```text
/pytorch/aten/src/ATen/native/cuda/IndexKernelUtils.cu:16: vectorized_gather_kernel: block: [0,0,0], thread: [0,0,0] Assertion `ind >=0 && ind < ind_dim_size && "vectorized gather kernel index out of bounds"` failed.
```

Message (torch 2.4, CUDA, gather and scatter):

```text
../aten/src/ATen/native/cuda/ScatterGatherKernel.cu:145: operator(): block: [0,0,0], thread: [1,0,0] Assertion `idx_dim >= 0 && idx_dim < index_size && "index out of bounds"` failed.
```

Message (torch 1.0 to 1.4; `an indexed tensor`):

```text
RuntimeError: Invalid index in gather at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:657
```

Message (torch 1.0 to 1.4, of labels; `labels.unique()`):

```text
  File "/home/u/utils/loss.py", line 34, in one_hot
    return mask.scatter_(1, index, ones)
RuntimeError: Invalid index in scatter at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:151
```

Message (torch 1.0 to 2.13, of labels; `labels.unique()`):

```text
  File "eval_iou.py", line 58, in addBatch
    y_onehot.scatter_(1, y, 1).float()
RuntimeError: index 26 is out of bounds for dimension 1 with size 23
```

Message (torch 1.5 to 2.13, CUDA, of labels; `labels.unique()`):

```text
While making one-hot encoding of labels
/pytorch/aten/src/ATen/native/cuda/ScatterGatherKernel.cu:276: operator(): block: [66,0,0], thread: [5,0,0] Assertion `idx_dim >= 0 && idx_dim < index_size && "index out of bounds"` failed.
```

Message (an older torch, of an index of int32 that it did not look at; `4 * 2**32 + 1`):

```text
RuntimeError: index 17179869185 is out of bounds for dimension 1 with size 6
```

Message (torch 1.7; `gather`):

```text
RuntimeError: gather_out_cpu(): Expected dtype int64 for index
```

Message (torch 1.2 to 1.4; `scatter_`):

```text
RuntimeError: Expected object of scalar type Long but got scalar type Int for argument #3 'index' in call to _th_scatter_
```

Message (torch 0.4 to 1.4):

```text
RuntimeError: index out of range at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:237
```

Message (torch 0.4 to 1.4):

```text
RuntimeError: invalid argument 3: Index is out of range at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:157
```

Message (PyTorch Geometric; `edge_index`):

```text
IndexError: Encountered an index error. Please ensure that all indices in 'edge_index' point to valid indices in the interval [0, 180] (got interval [0, 182])
```

Message (an older torch):

```text
TypeError: indexing a tensor with an object of type torch.FloatTensor. The only supported types are integers, slices, numpy scalars and torch.LongTensor or torch.ByteTensor as the only argument.
```

Message (an older torch; `number of rows`):

```text
RuntimeError: index out of range: Tried to access index 10 out of table with 9 rows. at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:237
```

Message (torch 1.5 to 2.13, of an embedding by its name; `self.words`):

```text
  File "train.py", line 21, in forward
    x = self.words(tokens)
  File "/env/lib/python3.10/site-packages/torch/nn/modules/sparse.py", line 162, in forward
    return F.embedding(
IndexError: index out of range in self
```

Message (torch 1.0 to 1.4, a title and a traceback without its end; `an embedding`):

```text
RuntimeError: index out of range at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:191

Traceback (most recent call last):
  File "main.py", line 98, in forward
    first = [emb(x[:, i]).sum(1) for i, emb in enumerate(self.embeddings)]
  File "/env/lib/python3.6/site-packages/torch/nn/modules/sparse.py", line 118, in forward
    self.norm_type, self.scale_grad_by_freq, self.sparse)
```

Message (torch 1.5 to 2.13, with the code beside it; `an embedding`):

```text
IndexError: index out of range in self

it comes from self.embedding_layer = nn.Embedding(dataset.n, dataset.d)
```

Message (torch 1.5 to 2.13, where tokens were added; `resize_token_embeddings(len(tokenizer))`):

```text
IndexError: index out of range in self

tokenizer.add_special_tokens({"additional_special_tokens": ["<new>"]})
model = AutoModel.from_pretrained("bert-base-uncased")
```

Message (torch 1.2 to 2.13, of a graph; `edge_index names nodes`):

```text
  File "/env/lib/python3.7/site-packages/torch_geometric/nn/conv/gcn_conv.py", line 83, in norm
    return edge_index, deg_inv_sqrt[row] * edge_weight * deg_inv_sqrt[col]
IndexError: index 4635 is out of bounds for dimension 0 with size 2631
```

Message (torch 1.5 to 2.13, of a graph; `edge_index names nodes`):

```text
  File "/home/u/graphs/layers.py", line 168, in lift
    return src.index_select(self.node_dim, index)
IndexError: index out of range in self
```

Message (torch 1.5 to 2.13, of tokens; `or more tokens than it has positions`):

```text
  File "/home/u/BertSum/src/models/model_builder.py", line 93, in forward
    top_vec = self.bert(x, segs, mask)
IndexError: index out of range in self
```

Message (torch 1.2 to 2.13, of a batch of one; `x.squeeze(0)`):

```text
IndexError: index 557 is out of bounds for dimension 0 with size 1
```

Message (torch 1.2 to 2.13, of a picture; `rows and columns last`):

```text
IndexError: index 259 is out of bounds for dimension 0 with size 4
```

Message (torch 1.2 to 2.13, of nothing; `nothing is in it`):

```text
IndexError: index 0 is out of bounds for dimension 0 with size 0
```

Message (torch 1.5 to 2.13, of floats; `as / makes them`):

```text
RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.cuda.FloatTensor instead (while checking arguments for embedding)
```

Message (torch 0.2 to 0.3):

```text
TypeError: When performing advanced indexing the indexing objects must be LongTensors or convertible to LongTensors. The indexing object at position 0 is of type torch.FloatTensor and cannot be converted
```

Message (torch 2.13):

```text
RuntimeError: Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got torch.FloatTensor instead (while checking arguments for embedding_renorm_)
```

Message (torch 0.1 to 0.3; `index 10 is outside: dimension 1 has 10 places, 0 to 9`):

```text
IndexError: index 10 is out of range for dimension 1 (of size 10)
```

Message (torch 1.0 to 1.13, of a sparse tensor, and later where it is checked; `dimension 0 has 10 places`):

```text
RuntimeError: size is inconsistent with indices: for dim 0, size is 10 but found index 12
```

Message (on a card, of an index that was divided; `// in place of /`):

```text
  File "beam.py", line 101, in advance
    self.attn.append(attn.index_select(0, ids / words))
RuntimeError: "index_select_out_cuda_impl" not implemented for 'Float'
```

Message (torch 0.2 to 1.9, CUDA; `an indexed tensor`):

```text
/pytorch/aten/src/THC/THCTensorScatterGather.cu:188: void THCudaTensor_scatterFillKernel(TensorInfo<Real, IndexType>, TensorInfo<long, IndexType>, Real, int, IndexType) [with IndexType = unsigned int, Real = float, Dims = -1]: block: [0,0,0], thread: [10,0,0] Assertion `indexValue >= 0 && indexValue < tensor.sizes[dim]` failed.
```

Message (torch 0.3 to 1.7, CUDA; `an indexed tensor`):

```text
/pytorch/aten/src/THC/THCTensorIndex.cu:226: void indexAddSmallIndex(): block: [0,0,0], thread: [1,0,0] Assertion `dstIndex < dstAddDimSize` failed.
```

Message (torch 1.5 to 2.13, alone; `of an embedding mostly`):

```text
IndexError: index out of range in self
```

Message (torch 1.5 to 2.13, with what a person wrote of it; `of other data`):

```text
IndexError: index out of range in self

it works with the data that I trained with, and fails with new data
```

Message (torch 1.6 to 2.13, nnU-Net, the end of whose traceback was not pasted; `a label`):

```text
RuntimeError: index 4 is out of bounds for dimension 1 with size 4

Traceback (most recent call last):
  File "/work/nnunet/training/network_training/nnUNetTrainerV2.py", line 244, in run_iteration
    loss = self.loss(output, target)
  File "/env/lib/python3.7/site-packages/torch/nn/modules/module.py", line 1051, in _call_impl
    return forward_call(*input, **kwargs)
```

Message (torch 1.2 to 2.13, where a slice was meant; `the slice :2080 was meant`):

```text
IndexError: index 2080 is out of bounds for dimension 2 with size 2080
```
"""

from keng.explain.advice.fits import index_of_floats
from keng.explain.advice.indices import outside_of, past_the_end, table_that_lacks_a_row, where_from
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import FailedForward

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"index out of range in self",
    r"[Ii]ndex (?:is )?out of range at \S{0,300}TH|Tried to access index -?\d+ out of table",
    odds=0.9,
)
def outside_the_table(failure: Failure) -> Hits:
    seen, layer = failure.live.indices, failure.layer
    if seen is None:
        table = table_that_lacks_a_row(failure)
        yield failure.hit(f"an index is below 0, or not below the number of rows of {table}")
        return
    rows, need = seen.classes, seen.highest + 1
    says = f"{layer} has {rows} rows, 0 to {rows - 1}; indices run from {seen.lowest} to {need - 1}{seen.first_at}"
    if seen.lowest < 0:
        yield failure.hit(f"{says}: a negative one is no row")
        return
    fix = failure.remade("num_embeddings", 0, rows, need)
    yield failure.hit(f"{says}: num_embeddings={need}, or other indices", fix=fix, rows=rows)


@pitfall.explains(
    r"index (?P<index>-?\d+) is out of (?:bounds|range) for dimension (?P<dim>\d+) (?:with size|\(of size) (?P<size>\d+)",
    r"Index \d+ of input takes value (?P<index>-?\d+) which is not in the valid range \[0, (?P<size>\d+)\)",
    r"tried to access index (?P<index>-?\d+) on a tensor of (?P<size>\d+) elements",
    r"size is inconsistent with indices: for dim (?P<dim>\d+), size is (?P<size>\d+) but found index (?P<index>\d+)",
    r"select\(\): index (?P<index>-?\d+) out of range for tensor of size \[(?P<sizes>[\d, ]+)\] at dimension (?P<dim>\d+)",
    odds=0.9,
)
def outside_the_dimension(failure: Failure) -> Hits:
    index, sizes = int(failure.groups["index"]), failure.groups.get("sizes", "").split(",")
    size = int(failure.groups.get("size") or sizes[int(failure.groups["dim"])])
    whole = failure.layer if failure.in_layer("EmbeddingBag") else "the tensor"
    dim = f"dimension {failure.groups['dim']}" if failure.groups.get("dim") else whole
    places = f"has {size} places, 0 to {size - 1}" if size else "is empty"
    said = where_from(failure, index, size)
    why = f": {said}" if said else past_the_end(failure, index, size)
    yield failure.hit(f"index {index} is outside: {dim} {places}{why}", index=index, size=size)


@pitfall.explains(
    r"\(\): Expected dtype int\S* (?:or \S+ )?for index",
    r"tensors used as indices must be long",
    r"Expected a long tensor for index, but got|dtype of indices should be Long but got",
    r"indexing a tensor with an object of type (?!torch\.Long)[\w.]+\. The only supported types are",
    r"the indexing objects must be LongTensors or convertible to LongTensors|\"?index_select_out_cuda_impl\"? not implemented for '?(?:Float|Double|Half)",
    r"Expected tensor for argument #\d 'indices' to have (?:one of the following scalar types|scalar type Long)",
    r"got scalar type \w{2,10} for argument #\d 'index' in call to _?\w{2,40}",
    odds=0.94,
)
def no_integers(failure: Failure) -> Hits:
    yield failure.hit(*index_of_floats(failure))


@pitfall.explains(
    r"Assertion .{0,3}(?P<check>srcIndex < srcSelectDimSize|(?:index >= )?-sizes\[i\] (?:<= index )?&& index < sizes\[i\]|ind >= ?0 && ind < ind_dim_size|"
    r"idx_dim >= 0 && idx_dim < index_size|indexValue >= 0 && indexValue < (?:src|tensor)\.sizes\[dim\]|dstIndex_? < dst\w{3,4}DimSize|"
    r"(?:linearIndex|idx) < (?:size|numel) && (?:linearIndex|idx) >= -(?:size|numel)|indexAtDim < data\.baseSizes|idx >= (?:0|-self_dim_size) && idx < self_dim_size)",
    r"(?P<check>Invalid index in (?:gather|scatter))\b",
    odds=0.9,
)
def told_without_a_number(failure: Failure) -> Hits:
    yield failure.hit(outside_of(failure, failure.groups["check"]))


@pitfall.watches("forward.failed")
def embedded_outside_the_table(failed: FailedForward) -> Hits:
    if failed.error == "IndexError" and failed.indices is not None:
        lowest, highest, rows = failed.indices
        says = f"indices run from {lowest} to {highest}, and an embedding has {rows} rows"
        yield failed.hit(f"{says}, 0 to {rows - 1}", highest=highest, rows=rows)


@pitfall.explains(
    r"indices in 'edge_index' point to valid indices in the interval (?P<valid>\[[\d, ]+\]) \(got interval (?P<came>\[[\d, -]+\])\)",
    odds=0.95,
)
def nodes_that_are_not_there(failure: Failure) -> Hits:
    came, valid = failure.groups["came"], failure.groups["valid"]
    yield failure.hit(f"edge_index names nodes {came}, and there are {valid}")
