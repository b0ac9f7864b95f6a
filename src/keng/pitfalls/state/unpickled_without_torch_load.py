r"""A file of `torch.save` is read by `pickle`.

`torch.save` keeps tensors beside the pickle, and only `torch.load` knows where. Plain `pickle.load`, or joblib and pandas
which use it, meets a reference that it cannot follow.

Cure: `torch.load`; for an object that is pickled by other means, put in arrays or a state dict.

Bad:

```python
import io
import pickle
import zipfile

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
inside = zipfile.ZipFile(file).read("archive/data.pkl")
weights = pickle.loads(inside)  # seen: `torch.load`
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
weights = torch.load(file)
```

Message (torch 1.0 to 2.13):

```text
_pickle.UnpicklingError: A load persistent id instruction was encountered, but no persistent_load function was specified.
```

Message (torch 1.6 to 2.13, of what was unpacked; `data.pkl`):

```text
Traceback (most recent call last):
  File "test.py", line 31, in main
    state = torch.load("checkpoint/data.pkl")
  File "/env/lib/python3.8/site-packages/torch/serialization.py", line 777, in _legacy_load
    magic_number = pickle_module.load(f, **pickle_load_args)
_pickle.UnpicklingError: A load persistent id instruction was encountered, but no persistent_load function was specified.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"A load persistent id instruction was encountered,? but no persistent_load function",
    odds=0.9,
)
def reference_to_a_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/serialization.py"):
        yield failure.hit(
            "torch.load finds a pickle without its archive: it wants the whole file, not the data.pkl unpacked of it; or several objects were saved into one file, which holds one since 1.6"
        )
        return
    yield failure.hit(
        "the file was written by torch.save, and pickle cannot read it: torch.load, and the whole file"
    )
