r"""A tensor is to be made of something that is no box of numbers.

A tensor needs one dtype and rows of one length. An array of dtype object holds Python objects (lists of
different length, None, a column of mixed contents); strings are no numbers; and a nested list with rows
of different length has no shape.

Cure: see `array.dtype` and the lengths; pad the rows (`torch.nn.utils.rnn.pad_sequence`), map text to
numbers first, take the numeric columns, `frame.select_dtypes("number").to_numpy(dtype="float32")`.

Bad:

```python
import torch

rows = torch.tensor([[1, 2], [3]])  # seen: `rows of 2 and of 1`
```

Bad (strings):

```python
import torch

labels = torch.tensor(["cat", "dog"])  # seen: `text is no number`
```

Bad (a text among numbers):

```python
import torch

labels = [0, "1"]
y = torch.LongTensor(labels)  # seen: `text is no number`
```

Bad (a value that is missing):

```python
import torch

row = [1.5, None]
x = torch.FloatTensor(row)  # seen: `a value is missing`
```

Bad (a list among numbers):

```python
import torch

rows = [[1, 2], [3, [4]]]
x = torch.LongTensor(rows)  # seen: `different lengths or depths`
```

Bad (an array of objects):

```python
import numpy as np
import torch

column = np.array([1.5, None], dtype=object)
values = torch.from_numpy(column)  # seen: `dtype=object`
```

Bad (bytes in another order):

```python
import numpy as np
import torch

samples = np.array([1.0, 2.0], dtype=">f4")
x = torch.from_numpy(samples)  # seen: `newbyteorder('=')`
```

Good:

```python
import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

rows = pad_sequence([torch.tensor([1, 2]), torch.tensor([3])], batch_first=True)
labels = torch.tensor([["cat", "dog"].index(name) for name in ("cat", "dog")])
values = torch.from_numpy(np.array([1.5, 2.0]))
```

Message (any version, of a sparse matrix of SciPy; `x.toarray()`):

```text
  File "train.py", line 12, in <module>
    adj = torch.FloatTensor(nx.adjacency_matrix(graph))
TypeError: sparse matrix length is ambiguous; use getnnz() or shape[0]
```

Message (an older torch; `astype`):

```text
RuntimeError: can't convert a given np.ndarray to a tensor - it has an invalid type. The only supported types are: double, float, int64, int32, and uint8.
```

Message (transformers; `labels`):

```text
ValueError: Unable to create tensor, you should probably activate truncation and/or padding with 'padding=True' 'truncation=True' to have batched tensors with the same length. Perhaps your features (`labels` in this case) have excessive nesting (inputs type `list` where type `int` is expected).
```

Message (transformers, images and sounds; `padding=True`):

```text
ValueError: Unable to create tensor, you should probably activate padding with 'padding=True' to have batched tensors with the same length.
```

Message (torch 1.0 to 2.13, of a table; `to_numpy()`):

```text
ValueError: could not determine the shape of object type 'DataFrame'
```

Message (torch 2.13, of a text as NumPy holds it; `text is no number`):

```text
  File "train.py", line 12, in <module>
    labels = torch.LongTensor([0, *names])
TypeError: 'numpy.str_' object cannot be interpreted as an integer
```

Message (an older Python; `text is no number`):

```text
Traceback (most recent call last):
  File "batcher.py", line 149, in __iter__
    tlab[i, : ll] = torch.LongTensor(label)
TypeError: an integer is required (got type str)
```

Message (torch 0.1 to 0.3; `torch.from_numpy`):

```text
RuntimeError: tried to construct a tensor from a nested int sequence, but found an item of type numpy.int64 at index (0, 0)
```

Message (torch 0.1 to 0.3; `different lengths`):

```text
RuntimeError: tried to construct a tensor from a int sequence, but found an item of type list at index 1
```

Message (torch 1.0 to 2.13, of what `reset()` of gym gives; `that is meant`):

```text
ValueError: expected sequence of length 17 at dim 1 (got 0)
```

Message (torch 1.0 to 2.13 and transformers 4; `DataCollatorWithPadding`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 50, in <module>
    trainer.train()
  File "/env/lib/python3.11/site-packages/transformers/data/data_collator.py", line 132, in torch_default_data_collator
    batch[k] = torch.tensor([f[k] for f in features])
ValueError: expected sequence of length 728 at dim 1 (got 635)
```

Message (torch 1.0 to 2.2; `int32`):

```text
TypeError: can't convert np.ndarray of type numpy.uint16. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and bool.
```

Message (torch 1.0 to 2.2; `int64`):

```text
TypeError: can't convert np.ndarray of type numpy.uint32. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and bool.
```

Message (torch 2.13; `1970`):

```text
TypeError: can't convert np.ndarray of type numpy.datetime64. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.
```

Message (torch 2.13; `as float64`):

```text
TypeError: can't convert np.ndarray of type numpy.longdouble. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.
```
"""

from keng.explain.advice.rows import of_dtype, of_rows, of_something_else
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"expected sequence of length (?P<one>\d+) at dim (?P<dim>\d+) \(got (?P<other>\d+)\)",
    odds=0.95,
)
def rows_of_different_length(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"rows of {one} and of {other} values: {of_rows(failure, other)}")


@pitfall.explains(
    r"(?:too many dimensions '|an integer is required \(got type |must be real number, not )(?P<kind>[\w.]+)",
    r"'(?P<kind>[\w.]+)' object cannot be interpreted as an integer",
    odds=0.95,
)
def something_else_in_a_list(failure: Failure) -> Hits:
    if says := of_something_else(failure, failure.groups["kind"]):
        yield failure.hit(says)


@pitfall.explains(r"can't convert np\.ndarray of type numpy\.(?P<dtype>\w+)\.", odds=0.95)
def array_of_another_kind(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"].rstrip("_")
    yield failure.hit(f"the array has dtype={dtype}: {of_dtype(failure, dtype)}")


@pitfall.explains(
    r"tried to construct a tensor from a (?:nested )?\w+ sequence, but found an item of type (?P<kind>[\w.]+) at index",
    odds=0.95,
)
def item_of_another_kind(failure: Failure) -> Hits:
    kind, rows = failure.groups["kind"], "rows of different lengths or depths"
    cure = rows if kind in ("list", "tuple") else "torch.from_numpy(numpy.array(...))"
    yield failure.hit(
        f"before 0.4 a list is to hold Python's numbers of one kind, and a {kind} stands in it: {cure}"
    )


pitfall.answers(
    {
        "can't convert a given np.ndarray to a tensor - it has an invalid type": "the array's dtype is none that torch has, of objects or text most often: array.astype('float32') does for numbers, and else tells which is none",
        "given numpy array has byte order different from the native byte order": "the bytes of the array's numbers stand the other way round, as in many files: array.astype(array.dtype.newbyteorder('=')) turns them",
    },
    odds=0.95,
)


@pitfall.explains(
    r"Unable to create tensor, you should probably activate (?:truncation and/or )?padding(?:.{0,300}?your features \(`(?P<name>\w+)`)?",
    odds=0.95,
)
def sequences_of_different_length(failure: Failure) -> Hits:
    name = failure.groups.get("name")
    if name and name not in ("input_ids", "attention_mask", "token_type_ids"):
        yield failure.hit(
            f"`{name}` holds lists of different lengths or no numbers: pad it, as DataCollatorForSeq2Seq or "
            "DataCollatorForTokenClassification do with labels, or remove the column"
        )
        return
    yield failure.hit(
        "the sequences of a batch have different lengths: padding=True and truncation=True, or a collator that pads; or a column of texts is left: remove_columns="
    )


FIRST = {"DataFrame": "x.to_numpy()", "Series": "x.to_numpy()", "Index": "x.to_numpy()"}
FIRST["sparse matrix of SciPy"] = "x.toarray()"


@pitfall.explains(
    r"could not determine the shape of object type '(?P<kind>[\w.]{1,60})'",
    r"sparse (?:array|matrix) length is ambiguous",
    odds=0.95,
)
def no_rows_to_count(failure: Failure) -> Hits:
    kind = failure.groups.get("kind") or "sparse matrix of SciPy"
    if failure.groups.get("kind") or failure.written_for_torch:
        cure = FIRST.get(kind, "x[:] or np.asarray(x)")
        yield failure.hit(f"a {kind} is no box of numbers that torch can read: {cure} first")
