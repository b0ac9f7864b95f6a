r"""A dataset asks a table of pandas for its rows by their labels.

A DataLoader asks for samples 0 to len - 1. `table["text"][index]` and `table.loc[index]` look for the row of that label instead, and after a
split, a filter, `sample` or `dropna` labels are missing and others are beyond the length. Where the label is there the row may still be
another than was meant. `table[index]` looks for a column.

Cure: `.iloc[index]`; or once, before the dataset is made, `table.reset_index(drop=True)` or `column.to_numpy()`.

Bad:

```python
import pandas as pd
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, table):
        self.labels = table["label"]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.labels[index]


table = pd.DataFrame({"label": [0, 1, 0, 1]}).drop(0)
for batch in DataLoader(Rows(table)):
    pass
```

Good:

```python
import pandas as pd
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, table):
        self.labels = table["label"]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.labels.iloc[index]


table = pd.DataFrame({"label": [0, 1, 0, 1]}).drop(0)
for batch in DataLoader(Rows(table)):
    pass
```

Message (pandas 1.5 and torch 1.13; `4807`):

```text
KeyError: Caught KeyError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/opt/conda/lib/python3.10/site-packages/torch/utils/data/_utils/worker.py", line 302, in _worker_loop
    data = fetcher.fetch(index)
  File "/opt/conda/lib/python3.10/site-packages/torch/utils/data/_utils/fetch.py", line 49, in fetch
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "/home/u/train.py", line 21, in __getitem__
    label = self.labels[index]
  File "/opt/conda/lib/python3.10/site-packages/pandas/core/series.py", line 981, in __getitem__
    return self._get_value(key)
  File "/opt/conda/lib/python3.10/site-packages/pandas/core/indexes/base.py", line 3805, in get_loc
    raise KeyError(key) from err
KeyError: 4807
```

Message (pandas 1.1, in a worker; `141`):

```text
KeyError: Caught KeyError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/env/lib/python3.8/site-packages/pandas/core/indexes/base.py", line 2898, in get_loc
    return self._engine.get_loc(casted_key)
  File "pandas/_libs/hashtable_class_helper.pxi", line 1675, in pandas._libs.hashtable.PyObjectHashTable.get_item
KeyError: 141

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/env/lib/python3.8/site-packages/torch/utils/data/_utils/worker.py", line 198, in _worker_loop
    data = fetcher.fetch(index)
  File "/env/lib/python3.8/site-packages/torch/utils/data/_utils/fetch.py", line 44, in fetch
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "dataset.py", line 34, in __getitem__
    label = self.labels[index]
  File "/env/lib/python3.8/site-packages/pandas/core/series.py", line 882, in __getitem__
    return self._get_value(key)
KeyError: 141
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pandas")

FETCHES = ("torch/utils/data/_utils/fetch.py", "torch/utils/data/dataset.py")


@pitfall.explains(r"\bKeyError: (?P<label>\d{1,9})$", odds=0.93)
def no_row_of_that_label(failure: Failure) -> Hits:
    pandas = any("/pandas/" in frame.posix for frame in failure.frames)
    if pandas and failure.passed_through(*FETCHES):
        label = failure.groups["label"]
        yield failure.hit(
            f"sample {label} is looked up as the label {label}, which the table has not, as after a split: "
            ".iloc[index], or reset_index(drop=True) before"
        )
