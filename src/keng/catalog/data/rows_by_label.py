r"""A dataset asks a table of pandas for a row by a label that it does not have.

A loader counts from 0 to `len(dataset) - 1`. `series[5]` and `frame.loc[5]` look for the label 5 and not for the sixth row, and a split
or a filter keeps the labels of the rows that are left: some numbers are missing, and KeyError tells one of them. `frame[5]` looks for a column.

Cure: `series.iloc[index]`, `frame.iloc[index]`, or `frame = frame.reset_index(drop=True)` after the split.

Bad (what a filter has left):

```python
import pandas as pd
from torch.utils.data import DataLoader, Dataset


class Labels(Dataset):
    def __init__(self, labels):
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.labels[index]


labels = pd.Series([0, 1, 1])
first = next(iter(DataLoader(Labels(labels[labels > 0]))))  # seen: `iloc`
```

Good:

```python
import pandas as pd
from torch.utils.data import DataLoader, Dataset


class Labels(Dataset):
    def __init__(self, labels):
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.labels.iloc[index]


labels = pd.Series([0, 1, 1])
first = next(iter(DataLoader(Labels(labels[labels > 0]))))
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

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pandas")


@pitfall.explains(r"(?:^|KeyError: )(?P<label>\d+)$", odds=0.95)
def label_that_is_gone(failure: Failure) -> Hits:
    paths = [frame.path.replace("\\", "/") for frame in failure.frames]
    fetched = any("/torch/utils/data/" in path for path in paths)
    if fetched and any("/pandas/" in path for path in paths):
        label = failure.groups["label"]
        yield failure.hit(
            f"no row has the label {label}: `iloc` counts rows, or reset_index(drop=True)"
        )
